import { fnv1a } from './chance.js'

const SYLLABLES = ['ba', 'lo', 'mi', 'ru', 'te', 'ka', 'no', 'shi', 've', 'du', 'pa', 'go', 'li', 'fa', 'zu', 'ne']
export const WORDS = 60_000

/**
 * A word that the nth of so many has in its title, as people name things: the rarer the more of them. Copies of a small
 * community alone would have no rare words, and a search for one is what most searches are.
 */
export function coinedWord(id: string): string {
  // Evenly over the logarithm of the rank: the word of rank r then occurs as often as one rth of the first.
  return wordOf(Math.floor(WORDS ** (fnv1a(`word of ${id}`) / 2 ** 32)))
}

/** The word of a rank, from 1. */
export function wordOf(rank: number): string {
  let left = rank * 7919
  let word = ''
  for (let i = 0; i < 5; i++) {
    word += SYLLABLES[left % SYLLABLES.length]
    left = Math.floor(left / SYLLABLES.length)
  }
  return word
}
