import type { Language } from '../languages.js'
import { similarity } from '../parse/similarity.js'
import { terms } from '../parse/terms.js'

/** Ends of sentences; "prefer.streaming" and "2026-05-26" have none inside. */
const SENTENCE_END = /(?<=[.!?])\s+(?=\p{Lu}|¿|¡|«|“|\/|`)|(?<=[。！？])/u

export const sentences = (text: string): string[] => text.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '')

export const firstSentence = (text: string): string => sentences(text)[0]?.trim() ?? ''

const MAX_SENTENCES = 3

/** A short passage as it is; of a longer one the three sentences that speak most of what was asked, in their order. */
export function bestSentences(text: string, asked: readonly string[], language: Language): string {
  const all = sentences(text)
  if (all.length <= MAX_SENTENCES) return text
  const scored = all.map((sentence, place) => ({ sentence, place, score: termOverlap(sentence, asked, language) }))
  const best = scored.toSorted((a, b) => b.score - a.score || a.place - b.place).slice(0, MAX_SENTENCES)
  return best
    .sort((a, b) => a.place - b.place)
    .map(({ sentence }) => sentence.trim())
    .join(language === 'ja' ? '' : ' ')
}

function termOverlap(sentence: string, asked: readonly string[], language: Language): number {
  const words = terms(sentence, language)
  return asked.filter((term) => words.some((word) => similarity(term, word) > 0)).length
}
