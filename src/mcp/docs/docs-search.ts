import { tokenize } from '../../lib/tokenize.js'
import type { DocPage, DocSection } from './docs-pages.js'

/** BM25's usual constants for term saturation and length normalization. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75
/** A word in a heading counts more than one in the text. */
const HEADING_WEIGHT = 4

type Entry = ReturnType<typeof entryOf>

/** Ranks documentation sections by how well they match the words of a query. */
export class DocSearchIndex {
  readonly #entries: readonly Entry[]
  readonly #frequency = new Map<string, number>()
  readonly #meanLength: number

  constructor(pages: readonly DocPage[]) {
    this.#entries = pages.flatMap(({ sections }) => sections.map(entryOf))
    for (const { counts } of this.#entries)
      for (const word of counts.keys()) this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1)
    this.#meanLength = this.#entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, this.#entries.length)
  }

  search(query: string, limit: number): DocSection[] {
    // A word that no section has would be looked for in each of them.
    const words = new Set(tokenize(query).filter((word) => this.#frequency.has(word)))
    return this.#entries
      .map((entry) => ({ section: entry.section, score: this.#score(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ section }) => section)
  }

  #score({ counts, length }: Entry, words: ReadonlySet<string>): number {
    let score = 0
    for (const word of words) {
      const count = counts.get(word) ?? 0
      const sections = this.#frequency.get(word) ?? 0
      const rarity = Math.log(1 + (this.#entries.length - sections + 0.5) / (sections + 0.5))
      score +=
        (rarity * count * (SATURATION + 1)) / (count + SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / this.#meanLength))
    }
    return score
  }
}

function entryOf(section: DocSection) {
  const counts = new Map<string, number>()
  const count = (text: string, weight: number) => {
    const found = tokenize(text)
    for (const word of found) counts.set(word, (counts.get(word) ?? 0) + weight)
    return found.length
  }
  count(`${section.page} ${section.heading}`, HEADING_WEIGHT)
  return { section, counts, length: count(section.text, 1) }
}
