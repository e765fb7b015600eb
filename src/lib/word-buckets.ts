/** Words by first letter and length. A typo hardly ever changes the first letter, and the length only a little. */
export class WordBuckets {
  readonly #buckets = new Map<string, string[]>()

  constructor(words: Iterable<string>) {
    for (const word of words) {
      const key = bucketOf(word, word.length)
      const bucket = this.#buckets.get(key)
      if (bucket === undefined) this.#buckets.set(key, [word])
      else bucket.push(word)
    }
  }

  /** Whether some word with the same first letter, of about the same length, fits. */
  some(word: string, lengthDifference: number, fits: (candidate: string) => boolean): boolean {
    for (let length = word.length - lengthDifference; length <= word.length + lengthDifference; length += 1) {
      if (this.#buckets.get(bucketOf(word, length))?.some(fits)) return true
    }
    return false
  }

  filter(word: string, lengthDifference: number, fits: (candidate: string) => boolean): string[] {
    const found: string[] = []
    this.some(word, lengthDifference, (candidate) => {
      if (fits(candidate)) found.push(candidate)
      return false
    })
    return found
  }
}

const bucketOf = (word: string, length: number): string => `${word[0] ?? ''}${length}`
