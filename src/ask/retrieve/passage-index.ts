import type { Language } from '../languages.js'
import { compoundSimilarity, MIN_COMPOUND_PART, MIN_COMPOUND_REST, similarity, TYPO_SIMILARITY } from '../parse/similarity.js'
import { terms } from '../parse/terms.js'
import { isFiller, isVague } from '../parse/word-lists.js'
import type { Passage } from './documentation.js'

export interface Hit {
  passage: Passage
  score: number
  /** The share of the asked terms that the passage has, from 0 to 1; rare terms weigh more. */
  coverage: number
}

/** Weights of a word by where it occurs. */
const FIELD_WEIGHTS = { title: 3, also: 2, text: 1, jargon: 1 } as const
/** Weight of vague words. */
const VAGUE_WEIGHT = 0.2
const FILLER_WEIGHT = 0.4
/** How much a word counts against a passage without it: less if other passages have it, more if none has. */
const MISSING_TERM_WEIGHT = 0.6
const UNKNOWN_TERM_WEIGHT = 1.5
const K1 = 1.2
const B = 0.3

/** BM25 over the passages of one language. */
export class PassageIndex {
  readonly language: Language
  /** Term → passage → weighted frequency. */
  readonly #postings = new Map<string, Map<Passage, number>>()
  readonly #lengths: ReadonlyMap<Passage, number>
  readonly #meanLength: number
  readonly #similarTermsCache = new Map<string, [string, number][]>()
  /** Similar terms have the same first letter, save the parts of German compounds. */
  readonly #byFirstLetter = new Map<string, string[]>()
  readonly #compounds: CompoundIndex
  readonly #nativeCompounds: CompoundIndex
  /** Terms of the language itself, without borrowed ones. */
  readonly #nativeTerms = new Set<string>()

  /** `jargon`: the same passages in English, whose words people use in every language. */
  constructor(passages: readonly Passage[], language: Language, jargon: readonly Passage[] = []) {
    this.language = language
    const borrowed = new Map(jargon.map(({ id, title, keywords }) => [id, `${title} ${keywords}`]))
    this.#lengths = new Map(passages.map((passage) => [passage, this.#add(passage, borrowed.get(passage.id) ?? '')]))
    this.#meanLength = [...this.#lengths.values()].reduce((sum, length) => sum + length, 0) / Math.max(1, passages.length)
    for (const term of this.#postings.keys()) {
      const first = term[0] ?? ''
      this.#byFirstLetter.set(first, [...(this.#byFirstLetter.get(first) ?? []), term])
    }
    const isCompounding = language === 'de'
    this.#compounds = new CompoundIndex(isCompounding ? new Set(this.#postings.keys()) : new Set())
    this.#nativeCompounds = new CompoundIndex(isCompounding ? this.#nativeTerms : new Set())
  }

  /** Drops the words of questions. */
  forgetWords(): void {
    this.#similarTermsCache.clear()
  }

  hasTerm(term: string): boolean {
    return this.#postings.has(term)
  }

  /** Whether the index has the term or a similar one. */
  hasSimilarTerm(term: string): boolean {
    return this.#similarTerms(term).length > 0
  }

  isNativeWord(word: string): boolean {
    const [term] = terms(word, this.language)
    if (term === undefined) return false
    return this.#nativeTerms.has(term) || this.#nativeCompounds.related(term).length > 0
  }

  /** The passages that have terms of the question, best first. `context`: terms of earlier questions, which count half. `correct` terms are no typos. */
  search(question: readonly string[], context: readonly string[] = [], correct: ReadonlySet<string> = NONE): Hit[] {
    const weigh = (term: string) => (isVague(this.language, term) ? VAGUE_WEIGHT : isFiller(this.language, term) ? FILLER_WEIGHT : 1)
    const asked = [...weighted(question, weigh), ...weighted(context, (term) => weigh(term) / 2)]
    const hits = new Map<Passage, { score: number; covered: number }>()
    let known = 0
    let unknown = 0
    for (const [term, weight] of asked) {
      const matches = this.#matches(term, correct.has(term))
      if (matches.size === 0) unknown += weight * this.#inverseFrequency(term)
      else known += weight * this.#inverseFrequency(term)
      for (const [passage, found] of matches) {
        const hit = hits.get(passage) ?? { score: 0, covered: 0 }
        hits.set(passage, { score: hit.score + weight * found.score, covered: hit.covered + weight * found.rarity })
      }
    }
    const coverage = (covered: number) =>
      covered / (covered + MISSING_TERM_WEIGHT * Math.max(0, known - covered) + UNKNOWN_TERM_WEIGHT * unknown)
    return [...hits]
      .map(([passage, { score, covered }]) => ({ passage, score, coverage: coverage(covered) }))
      .sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1))
  }

  #add(passage: Passage, jargon: string): number {
    const fields = { title: passage.title, also: passage.keywords, text: passage.text, jargon }
    let length = 0
    for (const field of ['title', 'also', 'text', 'jargon'] as const) {
      const words = terms(fields[field], field === 'jargon' ? 'en' : this.language)
      // The keywords are a list, not a text: a repeated one means nothing.
      for (const term of field === 'also' || field === 'jargon' ? new Set(words) : words) {
        const posting = this.#postings.get(term) ?? new Map<Passage, number>()
        const known = posting.get(passage) ?? 0
        // The language has the borrowed word already.
        posting.set(passage, field === 'jargon' ? Math.max(known, FIELD_WEIGHTS.jargon) : known + FIELD_WEIGHTS[field])
        this.#postings.set(term, posting)
        if (field === 'text') length += 1
        if (field !== 'jargon') this.#nativeTerms.add(term)
      }
    }
    return length
  }

  /** Per passage the best score of a term or a similar one. */
  #matches(term: string, isCorrect: boolean): Map<Passage, { score: number; rarity: number }> {
    const best = new Map<Passage, { score: number; rarity: number }>()
    const ownRarity = this.#inverseFrequency(term)
    for (const [known, alike] of this.#similarTerms(term)) {
      if (isCorrect && alike <= TYPO_SIMILARITY) continue
      const rarity = this.#inverseFrequency(known)
      for (const [passage, frequency] of this.#postings.get(known) ?? []) {
        const norm = K1 * (1 - B + (B * (this.#lengths.get(passage) ?? 0)) / this.#meanLength)
        const score = (alike * rarity * frequency * (K1 + 1)) / (frequency + norm)
        if (score > (best.get(passage)?.score ?? 0)) best.set(passage, { score, rarity: alike * ownRarity })
      }
    }
    return best
  }

  /** The terms of the index that a word may mean: itself, or else the most similar ones. */
  #similarTerms(term: string): [string, number][] {
    const remembered = this.#similarTermsCache.get(term)
    if (remembered !== undefined) return remembered
    const alike: [string, number][] = []
    const related = this.#compounds.related(term)
    for (const known of new Set([...(this.#byFirstLetter.get(term[0] ?? '') ?? []), ...related])) {
      const degree = Math.max(similarity(term, known), related.includes(known) ? compoundSimilarity(term, known) : 0)
      if (degree > 0) alike.push([known, degree])
    }
    const meant = alike.filter(([, degree]) => degree > TYPO_SIMILARITY)
    // A typo is assumed only if nothing else explains the word.
    const like = meant.length > 0 ? meant : alike
    if (this.#similarTermsCache.size > MAX_CACHED_TERMS) this.#similarTermsCache.clear()
    this.#similarTermsCache.set(term, like)
    return like
  }

  /** Unknown words count as the rarest. */
  #inverseFrequency(term: string): number {
    const frequencies = this.#similarTerms(term).map(([known]) => this.#postings.get(known)?.size ?? 0)
    const frequency = frequencies.length === 0 ? 0.5 : Math.min(...frequencies)
    return Math.log(1 + (this.#lengths.size - frequency + 0.5) / (frequency + 0.5))
  }
}

const NONE: ReadonlySet<string> = new Set()

/** Cached matches; bounded, because questions may contain anything. */
const MAX_CACHED_TERMS = 5000

function weighted(words: readonly string[], weigh: (word: string) => number): [string, number][] {
  return [...new Set(words)].map((word) => [word, weigh(word)])
}

/** Finds terms that a word begins or ends with, and terms that begin or end with the word, without trying every term. */
class CompoundIndex {
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
