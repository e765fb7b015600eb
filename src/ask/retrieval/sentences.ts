import type { Language } from '../languages.js'
import { likeness } from './likeness.js'
import { terms } from './terms.js'

/** Ends of sentences; "prefer.streaming" and "2026-05-26" have none inside. */
const END = /(?<=[.!?])\s+(?=\p{Lu}|¿|¡|«|“|\/|`)|(?<=[。！？])/u

export const sentences = (text: string): string[] => text.split(END).filter((sentence) => sentence.trim() !== '')

export const firstSentence = (text: string): string => sentences(text)[0]?.trim() ?? ''

/** At most two sentences of a passage: those that speak of what was asked, in their order. */
export function bestSentences(text: string, asked: readonly string[], language: Language): string {
  const all = sentences(text)
  if (all.length <= 2) return text
  const scored = all.map((sentence, place) => ({ sentence, place, score: spokenOf(sentence, asked, language) }))
  const best = scored.toSorted((a, b) => b.score - a.score || a.place - b.place).slice(0, 2)
  return best
    .sort((a, b) => a.place - b.place)
    .map(({ sentence }) => sentence.trim())
    .join(language === 'ja' ? '' : ' ')
}

function spokenOf(sentence: string, asked: readonly string[], language: Language): number {
  const words = terms(sentence, language)
  return asked.filter((term) => words.some((word) => likeness(term, word) > 0)).length
}
