import { MIN_COMPOUND_PART, MIN_COMPOUND_REST } from '../parse/similarity.js'

/** Finds terms that a word begins or ends with, and terms that begin or end with the word, without trying every term. */
export class CompoundIndex {
  readonly #terms: ReadonlySet<string>
  /** Beginnings and ends of terms → the terms. */
  readonly #byPart = new Map<string, Set<string>>()

  constructor(terms: ReadonlySet<string>) {
    this.#terms = terms
    for (const term of terms) {
      for (const part of partsOf(term)) {
        const known = this.#byPart.get(part)
        if (known === undefined) this.#byPart.set(part, new Set([term]))
        else known.add(term)
      }
    }
  }

  related(word: string): string[] {
    const shorter = partsOf(word).filter((part) => this.#terms.has(part))
    return [...new Set([...shorter, ...(this.#byPart.get(word) ?? [])])]
  }
}

/** The beginnings and ends of a word that may be words of their own. */
function partsOf(word: string): string[] {
  const parts: string[] = []
  for (let length = MIN_COMPOUND_PART; length <= word.length - MIN_COMPOUND_REST; length += 1)
    parts.push(word.slice(0, length), word.slice(-length))
  return parts
}
