import type { Language } from '../languages.js'
import { isFiller } from '../parse/filler.js'
import { compound, likeness, SLIP } from '../parse/similarity.js'
import { terms } from '../parse/terms.js'
import { isVague } from '../parse/vague.js'
import type { Passage } from './documentation.js'

export interface Hit {
  passage: Passage
  score: number
  /** How much of what was asked the passage speaks of, from 0 to 1: rare words weigh more than frequent ones. */
  coverage: number
}

/** Where a word stands decides how much it says about a passage. */
const WEIGHTS = { title: 3, also: 2, text: 1, jargon: 1 } as const
/** What words that carry little weigh beside the others. */
const VAGUE = 0.2
const FILLER = 0.4
/** How much a word counts against a passage without it: less if other passages have it, more if none has. */
const ELSEWHERE = 0.6
const NOWHERE = 1.5
const K1 = 1.2
const B = 0.3

/** BM25 over the passages of one language, made once. */
export class PassageIndex {
  readonly language: Language
  readonly #passages: readonly Passage[]
  /** Term → passage number → weighted frequency. */
  readonly #postings = new Map<string, Map<number, number>>()
  readonly #lengths: number[]
  readonly #meanLength: number
  readonly #likeTerms = new Map<string, [string, number][]>()
  /** Terms in the language itself, without borrowed ones. */
  readonly #own = new Set<string>()

  /** `jargon`: the same passages in English, whose words people use in every language. */
  constructor(passages: readonly Passage[], language: Language, jargon: readonly Passage[] = []) {
    this.language = language
    this.#passages = passages
    const borrowed = new Map(jargon.map(({ id, title, also }) => [id, `${title} ${also}`]))
    this.#lengths = passages.map((passage, number) => this.#add(passage, borrowed.get(passage.id) ?? '', number))
    this.#meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, passages.length)
  }

  knows(term: string): boolean {
    return this.#postings.has(term)
  }

  /** Whether some word here is it, or could be meant by it. */
  resembles(term: string): boolean {
    return this.#like(term).length > 0
  }

  has(word: string): boolean {
    const [term] = terms(word, this.language)
    if (term === undefined) return false
    return this.#own.has(term) || (this.language === 'de' && [...this.#own].some((known) => compound(term, known) > 0))
  }

  /** The passages that speak of the question, best first. `context` are words of earlier questions, which count half. */
  search(question: readonly string[], context: readonly string[] = []): Hit[] {
    const weigh = (term: string) => (isVague(this.language, term) ? VAGUE : isFiller(this.language, term) ? FILLER : 1)
    const asked = [...weighted(question, weigh), ...weighted(context, (term) => weigh(term) / 2)]
    const hits = new Map<number, { score: number; covered: number }>()
    let known = 0
    let unknown = 0
    for (const [term, weight] of asked) {
      const matches = this.#matches(term)
      if (matches.size === 0) unknown += weight * this.#rarity(term)
      else known += weight * this.#rarity(term)
      for (const [number, found] of matches) {
        const hit = hits.get(number) ?? { score: 0, covered: 0 }
        hits.set(number, { score: hit.score + weight * found.score, covered: hit.covered + weight * found.rarity })
      }
    }
    const coverage = (covered: number) => covered / (covered + ELSEWHERE * Math.max(0, known - covered) + NOWHERE * unknown)
    return [...hits]
      .map(([number, { score, covered }]) => ({ passage: this.#at(number), score, coverage: coverage(covered) }))
      .sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1))
  }

  #at(number: number): Passage {
    const passage = this.#passages[number]
    if (passage === undefined) throw new Error(`there is no passage ${number}`)
    return passage
  }

  #add({ title, also, text }: Passage, jargon: string, number: number): number {
    const fields = { title, also, text, jargon }
    let length = 0
    for (const field of ['title', 'also', 'text', 'jargon'] as const) {
      const words = terms(fields[field], field === 'jargon' ? 'en' : this.language)
      // A list of other words for the same thing is not a text: saying one twice means nothing.
      for (const term of field === 'also' || field === 'jargon' ? new Set(words) : words) {
        const posting = this.#postings.get(term) ?? new Map<number, number>()
        const known = posting.get(number) ?? 0
        // A borrowed word that the language has itself is no news.
        posting.set(number, field === 'jargon' ? Math.max(known, WEIGHTS.jargon) : known + WEIGHTS[field])
        this.#postings.set(term, posting)
        if (field === 'text') length += 1
        if (field !== 'jargon') this.#own.add(term)
      }
    }
    return length
  }

  /** Per passage the best that a term, or one like it, is worth there. */
  #matches(term: string): Map<number, { score: number; rarity: number }> {
    const best = new Map<number, { score: number; rarity: number }>()
    for (const [known, alike] of this.#like(term)) {
      const rarity = this.#rarity(known)
      for (const [number, frequency] of this.#postings.get(known) ?? []) {
        const norm = K1 * (1 - B + (B * (this.#lengths[number] ?? 0)) / this.#meanLength)
        const score = (alike * rarity * frequency * (K1 + 1)) / (frequency + norm)
        if (score > (best.get(number)?.score ?? 0)) best.set(number, { score, rarity: alike * this.#rarity(term) })
      }
    }
    return best
  }

  /** The terms of the index that a word may stand for: itself, or else the nearest ones. */
  #like(term: string): [string, number][] {
    const remembered = this.#likeTerms.get(term)
    if (remembered !== undefined) return remembered
    const alike: [string, number][] = []
    for (const known of this.#postings.keys()) {
      const degree = Math.max(likeness(term, known), this.language === 'de' ? compound(term, known) : 0)
      if (degree > 0) alike.push([known, degree])
    }
    const meant = alike.filter(([, degree]) => degree > SLIP)
    // A slip of the finger is only assumed when nothing else explains the word.
    const like = meant.length > 0 ? meant : alike
    if (this.#likeTerms.size > REMEMBERED) this.#likeTerms.clear()
    this.#likeTerms.set(term, like)
    return like
  }

  /** Words nobody here has ever used are the rarest of all. */
  #rarity(term: string): number {
    const frequencies = this.#like(term).map(([known]) => this.#postings.get(known)?.size ?? 0)
    const frequency = frequencies.length === 0 ? 0.5 : Math.min(...frequencies)
    return Math.log(1 + (this.#passages.length - frequency + 0.5) / (frequency + 0.5))
  }
}

/** Words people have asked with and what they were taken for; bounded, because people may ask with anything. */
const REMEMBERED = 5000

function weighted(words: readonly string[], weigh: (word: string) => number): [string, number][] {
  return [...new Set(words)].map((word) => [word, weigh(word)])
}
