import type { Language } from '../languages.js'
import { NAME_PLACEHOLDER, PATTERNS } from './patterns.js'
import { correctIntentWords } from './spelling.js'
import { isIdentifier, terms } from './terms.js'
import { isFiller, isVague } from './word-lists.js'

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
