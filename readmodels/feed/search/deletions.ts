import { remembered } from '../../../src/lib/remembered.js'

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
