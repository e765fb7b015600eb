import type { Language } from '../languages.js'
import { terms } from '../retrieval/terms.js'
import { isVague } from '../words/vague.js'
import { CUES } from './cues.js'
import { mended } from './mending.js'

/** What is left of "is there a good app for sourdough" once the asking is taken away. */
export function searchWords(text: string, language: Language): string {
  const cues = CUES[language]
  const asking = [cues.search, cues.creations, ...[...cues.sorts, ...cues.kinds].map(([, pattern]) => pattern)]
  const rest = asking.reduce((left, pattern) => left.replace(new RegExp(pattern, 'g'), ' '), mended(text.toLowerCase(), language))
  return terms(rest, language)
    .filter((word) => !FILLER.has(word) && !/^\d+$/.test(word) && !isVague(language, word))
    .slice(0, 5)
    .join(' ')
}

const FILLER: ReadonlySet<string> = new Set(
  'good nice cool great top number for with help helps track tracking something gute gutes buen buena bueno'.split(' '),
)
