import type { Language } from '../languages.js'
import { NAMED, PATTERNS } from './patterns.js'
import { correctIntentWords } from './spelling.js'
import { isIdentifier, terms } from './terms.js'
import { isFiller, isVague } from './word-lists.js'

const MAX_WORDS = 5

/** What is left of "is there a good app for sourdough" once the asking is taken away. */
export function searchWords(text: string, language: Language): string[] {
  const cues = PATTERNS[language]
  const patterns = [...cues.sorts, ...cues.kinds, ...cues.intents.filter(([topic]) => topic === 'count')].map(([, pattern]) => pattern)
  const asking = [cues.search, cues.featured, cues.remixes, cues.creations, ...patterns]
  const rest = asking.reduce(
    (left, pattern) => left.replace(new RegExp(pattern.source, 'gu'), ' '),
    correctIntentWords(text.toLowerCase(), language).replaceAll(NAMED, ' '),
  )
  return terms(rest, language)
    .filter((word) => !/^\d+$/.test(word) && !isIdentifier(word) && !isVague(language, word) && !isFiller(language, word))
    .filter((word) => language === 'ja' || word.length > 2)
    .slice(0, MAX_WORDS)
}
