import { tokenize } from '../../lib/tokenize.js'
import type { Language } from '../languages.js'
import { NAME_PLACEHOLDER, PATTERNS } from './patterns.js'
import { correctIntentWords } from './spelling.js'
import { isFiller, isStopWord, isVague } from './word-lists.js'

/** The meaningful words of a question or a passage, as the index has them. */
export function terms(text: string, language: Language): string[] {
  const spelled = replacePhrases(normalizeNumbers(language === 'ja' ? text.replace(POLITE_ENDINGS, ' ') : text))
  const words = language === 'ja' ? spelled : withoutStopWords(language === 'es' ? spelled.replace(ENCLITIC, 'r') : spelled, language)
  const found = tokenize(words)
  const meaningful = language === 'ja' ? found.filter((word) => !isStopWord('ja', word) && !LONE_KANA.test(word)) : found
  return [...meaningful, ...identifiers(text)]
}

/** "eliminarlo" and "comprármela" are "eliminar" and "comprar": Spanish appends pronouns to the verb. */
const ENCLITIC = /(?<=\p{L}{2}[aáeéiíAEI])r(?:(?:me|te|se|nos|os)l[oa]s?|me|te|se|nos|l[oea]s?)(?!\p{L})/giu

/** `otp_expired`, `tools/list` or `Retry-After` count as a whole, too. */
const identifiers = (text: string): string[] => text.toLowerCase().match(/(?<![a-z])[a-z]+(?:[_:./-][a-z]+)+/g) ?? []

export const isIdentifier = (term: string): boolean => /[_:./-]/.test(term)

/** Before stemming, which would turn "does" into "doe". */
function withoutStopWords(text: string, language: Language): string {
  return text.replace(/[\p{L}\p{M}'’]+/gu, (word) => (isStopWord(language, word.toLowerCase().replace(/['’].*$/, '')) ? ' ' : word))
}

/** Verbs of two words, such as "log in": the second is a stop word, and without it the meaning is lost. */
const PHRASE_REPLACEMENTS: readonly [RegExp, string][] = [
  [/\b(?:log|logs|logged|logging)[\s-]?(?:in|on|into)\b/giu, ' login '],
  [/\b(?:sign|signs|signed|signing)[\s-]?(?:in|on|into)\b/giu, ' signin '],
  [/\b(?:log|logs|logged|logging)[\s-]?(?:out|off)\b/giu, ' logout '],
  [/\b(?:sign|signs|signed|signing)[\s-]?(?:out|off)\b/giu, ' signout '],
  [/\b(?:sign|signs|signed|signing)[\s-]?up\b/giu, ' signup '],
  [/\b(?:top|tops|topped|topping)[\s-]?ups?\b/giu, ' topup '],
  [/\b(?:roll|rolls|rolled|rolling|carry|carries|carried)[\s-]?over\b/giu, ' rollover '],
  [/\bsubs?\b/giu, ' subscription '],
  [/\b(?:ones?|rest|items|results|others?) (?:that (?:come|follow) )?(?:after|beyond)\b|\bnext (?:ones?|lot|few|\d+)\b/giu, ' next page '],
  [/\be-?mails?\b/giu, ' email '],
  [/\b(?:five thousand|cinco mil|fünftausend)\b|五千|5千/giu, ' 5000 '],
  [/\b(?:ten thousand|diez mil|zehntausend)\b|一万|1万/giu, ' 10000 '],
  [/\b(?:one thousand|a thousand|mil|tausend|eintausend)\b|(?<![\d二三四五六七八九])千(?=クレジット)/giu, ' 1000 '],
  [/\b(?:twenty|veinte|zwanzig)\b/giu, ' 20 '],
  [/\b(?:ninety[- ]five|noventa y cinco|fünfundneunzig)\b/giu, ' 95 '],
  [/\b(?:one hundred (?:and )?eighty|ciento ochenta|(?:ein)?hundertachtzig)\b/giu, ' 180 '],
  [/\bmelde?n?t?\b(?=.*\bab\b)/giu, ' abmelden '],
  [/\bmelde?n?t?\b(?=.*\ban\b)/giu, ' anmelden '],
  [/\blogge?n?t?\b(?=.*\bein\b)/giu, ' einloggen '],
  [/\blogge?n?t?\b(?=.*\baus\b)/giu, ' ausloggen '],
  [/\bl[aä]uf(?:en|t)?\b(?=.*\bab\b)/giu, ' ablaufen '],
  [/\bl[aä]de?n?\b(?=.*\bauf\b)/giu, ' aufladen '],
  [/\b(?:to|can|must) code\b/giu, ' coding '],
]

/** Most texts have none of them, which one look tells. Without the flag `u`, which makes it seven times slower. */
const ANY_PHRASE = new RegExp(PHRASE_REPLACEMENTS.map(([phrase]) => phrase.source).join('|'), 'i')

const replacePhrases = (text: string): string =>
  ANY_PHRASE.test(text) ? PHRASE_REPLACEMENTS.reduce((left, [phrase, word]) => left.replace(phrase, word), text) : text

/** Endings of Japanese questions, which the segmenter would take for words. */
const POLITE_ENDINGS =
  /(?:は|が|を|って)?(?:ありますか|ありませんか|なんですか|何ですか|ですか|でしょうか|できますか|できるの|ますか|てください|ください|下さい|教えて|ですか|になりますか|のですか|んですか)[？?。！]*/gu

const LONE_KANA = /^[\p{Script=Hiragana}]$/u

/** "10,000", "10.000", "10 000" and "10k" are one number; "429s" is 429. */
export function normalizeNumbers(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/(?<=\d)[.,'’\s](?=\d{3}(?!\d))/gu, '')
    .replace(/\b(\d{1,3})\s?k\b/giu, '$1000')
    .replace(/\b([1-5]\d\d)(?:s|ers?|ern)\b/giu, '$1')
}

const MAX_WORDS = 5

/** The words to search for: of "is there a good app for sourdough" only "sourdough". */
export function searchWords(text: string, language: Language): string[] {
  const { sorts, kinds, intents, search, featured, remixes, creations } = PATTERNS[language]
  const count = intents.filter(([intent]) => intent === 'count')
  const asking = [search, featured, remixes, creations, ...[...sorts, ...kinds, ...count].map(([, pattern]) => pattern)]
  const rest = asking.reduce(
    (left, pattern) => left.replace(new RegExp(pattern.source, 'gu'), ' '),
    correctIntentWords(text.toLowerCase(), language).replaceAll(NAME_PLACEHOLDER, ' '),
  )
  return terms(rest, language)
    .filter((word) => !/^\d+$/.test(word) && !isIdentifier(word) && !isVague(language, word) && !isFiller(language, word))
    .filter((word) => language === 'ja' || word.length > 2)
    .slice(0, MAX_WORDS)
}
