/** Questions that are recognised as a whole, because their words would find nothing or too much. */
import type { Language } from '../languages.js'
import { isFiller, isVague } from '../parse/word-lists.js'

/** "How much is it" has stop words only, and "prices" is in every passage about money: both mean the same. */
export function passageForExactQuestion(text: string, language: Language): string | null {
  const whole = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[\s¿]+|[\s?？!！.。]+$/gu, '')
    .replace(/\s+/gu, ' ')
  // English questions come in every language.
  const isOne = (patterns: Record<Language, RegExp>) => patterns[language].test(whole) || patterns.en.test(whole)
  if (isOne(PRICES)) return 'tiers'
  return isOne(PAGING) ? 'paging' : null
}

const PRICES: Record<Language, RegExp> = {
  en: /^(?:(?:and|so) )?(?:(?:what(?: i|'?)s|what are|show me|tell me) )?(?:(?:the|your|its|all) )*(?:prices?|pricing)$|^(?:(?:and|so) )?how much(?:(?: is|'s| are| does| do) (?:it|this|that|they|you|vitrine)(?: costs?| charge)?)?$/u,
  es: /^(?:y )?(?:cu[aá]l(?:es)? (?:es|son) |dime |qu[eé] )?(?:(?:el|los|las|tus|sus|vuestros) )?(?:precios?|tarifas?)(?: (?:tiene|tienen|hay))?$|^(?:y )?(?:cu[aá]nto (?:es|son|sale)|(?:cu[aá]nto|qu[eé]) (?:vale|valen|cuesta|cuestan))(?: (?:esto|eso|vitrine))?$/u,
  de: /^(?:und )?(?:(?:was|wie) (?:ist|sind) |welche )?(?:(?:der|die|eure|deine|ihre) )?preise?(?: (?:gibt es|habt ihr))?$|^(?:und )?(?:was kostet|wie ?viel (?:kostet|ist|macht)|wie teuer ist) (?:das|es|vitrine)$|^wie ?viel$/u,
  ja: /^お?(?:値段|価格|料金|いくら)(?:は|って)?(?:何|なん|いくら|どのくらい)?(?:ですか|でしょうか|なの|かかりますか)?$/u,
}

const PAGING: Record<Language, RegExp> = {
  en: /^(?:so )?how (?:do|can|should) (?:i|you|we) (?:page|paginate)(?: (?:through|over))?(?: (?:the |all )?(?:results?|feed|list|items|pages|creations|it|them|everything))?$|^how does (?:paging|pagination) work$|^(?:paging|pagination)$/u,
  es: /^c[oó]mo (?:pagino|se pagina|paginar|puedo paginar|paso (?:de|las) p[aá]ginas?)(?: (?:el feed|la lista|los resultados))?$|^paginaci[oó]n$/u,
  de: /^wie (?:bl[aä]ttere|paginiere) ich(?: (?:weiter|durch (?:den feed|die ergebnisse|die liste)))?$|^wie (?:bl[aä]ttert|paginiert) man(?: weiter)?$|^paginierung$/u,
  ja: /^(?:どうやって)?(?:ページング|ページ送り|ページネーション)(?:は|って|を)?(?:どう(?:やる|する|やって)?)?(?:の|する|しますか|ですか|やるの)?$/u,
}

/** "What is this?" and "what can you do?" have no words to search for. */
export function passageForGeneralQuestion(text: string, asked: readonly string[], language: Language): string | null {
  if (HELP[language].test(text.toLowerCase())) return 'what-to-ask'
  if (asked.some((term) => !isVague(language, term) && !isFiller(language, term))) return null
  if (WHAT_IS_THIS[language].test(text.toLowerCase())) return 'what-it-is'
  return GREETING[language].test(text.toLowerCase()) ? 'what-to-ask' : null
}

const HELP: Record<Language, RegExp> = {
  en: /\bwhat can (i|you|we) (ask|do|answer|tell)\b|^help\b|\bhelp me$|what do you know|how can you help/,
  es: /qué (puedo preguntar|puedes hacer|sabes)|^ayuda|que puedo preguntar|en qué (me )?puedes ayudar/,
  de: /was (kann ich .*fragen|kannst du|weißt du)|^hilfe/,
  ja: /何(が|を)(でき|聞|質問)|^ヘルプ|使い方を教え/,
}

/** "What is this", with up to three words in between, but not "what time is it". */
const WHAT_IS_THIS: Record<Language, RegExp> = {
  en: /\b(what|wat|whats|what'?s|who)(?!.*\btime)\b(\W+\w+){0,3}?\W+(this|that|it|you|u|here|thing|service|product|site|website|vitrine)\b/,
  es: /(qué|que|quién|quien)\b(\W+\w+){0,2}?\W+(esto|eso|eres|este|esta|aquí|hay|vitrine)|(qué|que) es/,
  de: /\b(was|wer)(?!.*spät)\b(\W+[\wäöüß]+){0,2}?\W+(das|dies|hier|du|ihr|es|dieser dienst|vitrine)\b/,
  ja: /(これ|ここ|それ|あなた|このサービス|vitrine|何(です|なの|が))|^何/,
}

const GREETING: Record<Language, RegExp> = {
  en: /^(hi|hey|hello|yo|thanks?|thank you|ok|okay|please)\b/,
  es: /^(hola|gracias|vale|buen[oa]s)/,
  de: /^(hallo|danke|hi|hey|bitte|moin|ok)/,
  ja: /^(こんにちは|ありがとう|はい|どうも|お)/,
}
