import { editDistance } from '../../../src/lib/edit-distance.js'
import { remembered } from '../../../src/lib/remembered.js'
import type { Collection, Doc, Reads } from '../../../src/ports/document-store.js'

/** Words from this length on may have two mistakes. */
const LONG = 7
const MAX_MEANT = 3
/** Of one deletion; more have it only in made-up words. */
const MAX_CANDIDATES = 50

export const mistakesIn = (word: string): number => (word.length >= LONG ? 2 : 1)

interface Spelled extends Doc {
  deletions: readonly string[]
}

/** The documents with a word near a misspelled one. Words are their ids, or in an index. */
export async function nearWords<D extends Spelled>(
  reads: Reads,
  collection: Collection<D>,
  misspelled: string,
  byWord = '_id',
): Promise<D[]> {
  const shortened = deletionsOf(misspelled)
  if (shortened.length === 0) return []
  const holding = (index: string) => (word: string) => reads.ids(collection, { index, equals: [word], limit: MAX_CANDIDATES })
  const shorter = byWord === '_id' ? [shortened] : shortened.map(holding(byWord))
  const lists = await Promise.all([...shorter, ...[misspelled, ...shortened].map(holding('byDeletion'))])
  const found = await reads.get(collection, [...new Set(lists.flat())])
  return found.filter((doc) => doc !== undefined)
}

/** The nearest of some words, at most three; of equally near ones the most used, then the longest: letters are rather left out than added. */
export function nearest(misspelled: string, candidates: readonly { word: string; uses: number }[]): string[] {
  const most = mistakesIn(misspelled)
  const near = candidates
    .map(({ word, uses }) => ({ word, uses, mistakes: editDistance(misspelled, word, most) }))
    .filter(({ mistakes }) => mistakes <= most)
    .sort((a, b) => a.mistakes - b.mistakes || b.uses - a.uses || b.word.length - a.word.length || (a.word < b.word ? -1 : 1))
  return near
    .filter(({ mistakes }) => mistakes === near[0]?.mistakes)
    .slice(0, MAX_MEANT)
    .map(({ word }) => word)
}

/** Shorter words are too alike to tell a misspelling from another word. */
export const MIN_SPELLED = 4
const MAX_SPELLED = 24

/** A word without one of its letters, in all ways: two words one edit apart have one of them in common. */
export const deletionsOf = remembered(100_000, (word): string[] => {
  if (word.length < MIN_SPELLED || word.length > MAX_SPELLED || !LETTERS.test(word)) return []
  return [...new Set(Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)))]
})

/** Scripts with letters; characters of others are words of their own. */
const LETTERS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u
