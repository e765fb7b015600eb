import type { Language } from '../languages.js'
import { distance } from './similarity.js'
import { isVague } from './vague.js'
import { isCommon } from './word-lists.js'

/** Shorter words are too near to each other to tell a slip from another word. */
const LEAST = 5
/** A question full of slips is not tried in every combination. */
const MOST_SPELLINGS = 6

/** Words there are, to find the one that was meant: one letter missing, added, wrong or swapped with its neighbour. */
export class Spelling {
  readonly #words: ReadonlySet<string>
  readonly #byStart = new Map<string, string[]>()

  constructor(words: Iterable<string>) {
    this.#words = new Set([...words].filter((word) => word.length >= LEAST))
    for (const word of this.#words) {
      // The first letter is hardly ever the wrong one.
      const start = word[0] ?? ''
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), word])
    }
  }

  /** The words one slip away; none for a word that is there itself. */
  near(word: string): string[] {
    if (word.length < LEAST || this.#words.has(word)) return []
    const candidates = this.#byStart.get(word[0] ?? '') ?? []
    return candidates.filter((candidate) => Math.abs(candidate.length - word.length) <= 1 && distance(word, candidate, 1) <= 1)
  }
}

const WORD = /[\p{Script=Latin}\p{N}\p{M}]+(?:-[\p{Script=Latin}\p{N}\p{M}]+)*/gu

/** A question as it may have been meant, if names of the directory were misspelled in it; the likeliest first. */
export function spellings(text: string, spelling: Spelling, language: Language): string[] {
  let found = [text.toLowerCase()]
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (isCommon(language, word) || isVague(language, word)) continue
    const near = spelling.near(word)
    if (near.length > 0) found = found.flatMap((spelled) => near.map((other) => spelled.replace(word, other))).slice(0, MOST_SPELLINGS)
  }
  return found.filter((spelled) => spelled !== text.toLowerCase())
}
