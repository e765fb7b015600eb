import { editDistance } from '../../lib/edit-distance.js'
import { WordBuckets } from '../../lib/word-buckets.js'
import type { Language } from '../languages.js'
import { intentWords, isIntentWord, isStopWord, isVague } from './word-lists.js'

/** Shorter words are too alike to tell a typo from another word. */
const MIN_WORD_LENGTH = 5
/** A question full of typos is not tried in every combination. */
const MAX_SPELLINGS = 6

/** Finds the known word that was meant: one letter missing, added, wrong or swapped with its neighbour. */
export class SpellingIndex {
  /** With their places. */
  readonly #words = new Map<string, number>()
  readonly #buckets: WordBuckets

  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (word.length >= MIN_WORD_LENGTH && !this.#words.has(word)) this.#words.set(word, this.#words.size)
    }
    this.#buckets = new WordBuckets(this.#words.keys())
  }

  has(word: string): boolean {
    return this.#words.has(word)
  }

  /** The known words one typo away; none for a known word. */
  oneTypoAway(word: string): string[] {
    if (word.length < MIN_WORD_LENGTH || this.#words.has(word)) return []
    const place = (known: string) => this.#words.get(known) ?? 0
    return this.#buckets.filter(word, 1, (candidate) => editDistance(word, candidate, 1) <= 1).sort((a, b) => place(a) - place(b))
  }
}

const WORD = /[\p{Script=Latin}\p{N}\p{M}]+(?:-[\p{Script=Latin}\p{N}\p{M}]+)*/gu

/** The question with misspelled names corrected, the likeliest spelling first. */
export function correctedSpellings(text: string, spelling: SpellingIndex, language: Language): string[] {
  let found = [text.toLowerCase()]
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (isStopWord(language, word) || isVague(language, word)) continue
    const near = spelling.oneTypoAway(word)
    if (near.length > 0) found = found.flatMap((spelled) => near.map((other) => spelled.replace(word, other))).slice(0, MAX_SPELLINGS)
  }
  return found.filter((spelled) => spelled !== text.toLowerCase())
}

/** Corrects typos in the words that decide what is asked. */
export function correctIntentWords(text: string, language: Language): string {
  return text.replace(/\p{L}{5,}/gu, (word) => {
    if (isIntentWord(language, word) || isStopWord(language, word)) return word
    const typos = word.length >= 8 ? 2 : 1
    return (
      intentWords(language).find(
        (candidate) => candidate[0] === word[0] && candidate.at(-1) === word.at(-1) && editDistance(word, candidate, typos) <= typos,
      ) ?? word
    )
  })
}
