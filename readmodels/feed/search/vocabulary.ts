/** What the gallery and the thesaurus know of the words of a search. */
import { singular } from '../../../src/lib/tokenize.js'
import type { Reads, SearchReads } from '../../../src/ports/document-store.js'
import { compoundEnds, compoundParts } from './compounds.js'
import { frequencies, terms, type WordDoc } from './documents.js'
import { nearest, nearWords } from './spelling.js'
import { formsOf, STEMMED, stem } from './stems.js'
import { type Related, thesaurus } from './topics.js'

/** Descriptions are searched for words that at most so many creations hold. */
export const MAX_DESCRIBED = 500
/** How many words of a search are widened, how many others they lead to, each and in all, and how many of their forms count. */
const MAX_WIDENED = 6
const MAX_RELATED = 120
const MAX_RELATED_IN_ALL = 240
const MAX_RELATED_FORMS = 16
/** How many words beginning with what is typed count. */
const MAX_COMPLETIONS = 20
const MIN_STEM_SPELLED = 6
/** Of more misspelled words no other spelling is looked for: it costs more than all else. */
const MAX_CORRECTED = 3

/** How much a form counts, in percent. */
export const FACTOR = { exact: 100, stem: 83, completed: 75, part: 67, misspelled: 83, same: 60, related: 25 }

export interface SearchedForm {
  form: string
  factor: number
}

/** A word in descriptions. */
export interface Described {
  term: string
  /** Of creations, up to one more than are searched. */
  count: number
}

export class Vocabulary {
  readonly #reads: Reads & SearchReads
  readonly #bits = new Map<string, number>()
  readonly #corrected = new Map<string, string>()
  readonly #related = new Map<string, readonly Related[]>()
  #corrections = 0

  private constructor(reads: Reads & SearchReads) {
    this.#reads = reads
  }

  static async of(reads: Reads & SearchReads, typed: readonly string[]): Promise<Vocabulary> {
    const vocabulary = new Vocabulary(reads)
    const parts = typed.flatMap((word) => [...compoundParts(word), ...compoundEnds(word)])
    await vocabulary.#learn([...typed, ...parts], [...typed, ...parts].slice(0, MAX_WIDENED))
    return vocabulary
  }

  learnPhrases(phrases: readonly string[]): Promise<void> {
    return this.#learn([], phrases)
  }

  /** How many creations hold a form, in bits; 0 for none. */
  bits(form: string): number {
    return this.#bits.get(form) ?? 0
  }

  /** Those that titles or tags hold, each once. */
  inUse(forms: readonly SearchedForm[]): SearchedForm[] {
    const first = new Map<string, SearchedForm>()
    for (const each of forms) if (this.#bits.has(each.form) && !first.has(each.form)) first.set(each.form, each)
    return [...first.values()]
  }

  /** Those of some parts of a compound that lead anywhere. */
  leading(parts: readonly string[]): string[] {
    return parts.filter((part) => this.inUse(ownForms(part)).length > 0 || this.wider(part).length > 0)
  }

  /** The forms of other words of the same and of related topics; the nearest in meaning first, then the rarest. */
  wider(word: string): SearchedForm[] {
    return this.#relatedTo(word)
      .flatMap(({ forms, near }) => forms.map((form) => ({ form, factor: near ? FACTOR.same : FACTOR.related })))
      .filter(({ form }) => this.#bits.has(form))
      .sort((a, b) => b.factor - a.factor || this.bits(a.form) - this.bits(b.form) || (a.form < b.form ? -1 : 1))
      .slice(0, MAX_RELATED_FORMS)
  }

  async described(word: string): Promise<Described> {
    const term = singular(word)
    return { term, count: await this.#reads.countMatching(terms, { index: 'byTerm', terms: [term], prefix: null }, MAX_DESCRIBED + 1) }
  }

  async completions(beginning: string): Promise<SearchedForm[]> {
    const found = await this.#reads.range(frequencies, { index: '_id', equals: [], startsWith: beginning, limit: MAX_COMPLETIONS })
    return this.#add(found).map((form) => ({ form, factor: form === beginning ? FACTOR.exact : FACTOR.completed }))
  }

  /** The words that a misspelled one may mean: of the gallery, or of the thesaurus. */
  async meant(misspelled: string): Promise<string[]> {
    this.#corrections += 1
    if (this.#corrections > MAX_CORRECTED) return []
    // A stem may be nearer: endings differ, too. Short ones are near to everything.
    const stems = STEMMED.map((language) => stem(language, misspelled)).filter(({ length }) => length >= MIN_STEM_SPELLED)
    for (const spelled of new Set([misspelled, ...stems])) {
      const near = (await nearWords(this.#reads, frequencies, spelled)).filter(({ _id }) => _id[0] === spelled[0])
      const used = near.map(({ _id, bits }) => ({ word: _id, uses: bits }))
      const others = thesaurus().spelledLike(spelled)
      const meant = nearest(spelled, [...used, ...others.map((word) => ({ word, uses: 0 }))])
      if (meant.length === 0) continue
      this.#add(near)
      await this.#learn(meant, meant)
      this.#corrected.set(misspelled, meant[0] ?? misspelled)
      return meant
    }
    return []
  }

  /** A word as it should have been typed, as far as is known. */
  corrected(word: string): string {
    return this.#corrected.get(word) ?? word
  }

  #relatedTo(word: string): readonly Related[] {
    return this.#related.get(word) ?? []
  }

  async #learn(words: readonly string[], widened: readonly string[]): Promise<void> {
    const most = Math.min(MAX_RELATED, MAX_RELATED_IN_ALL / widened.length)
    for (const word of widened) this.#related.set(word, thesaurus().related(word).slice(0, most))
    const others = widened.flatMap((word) => this.#relatedTo(word)).flatMap(({ forms }) => forms)
    const wanted = [...new Set([...words.flatMap(formsOf), ...others])]
    if (wanted.length > 0) this.#add(await this.#reads.get(frequencies, wanted))
  }

  #add(found: readonly (Pick<WordDoc, '_id' | 'bits'> | undefined)[]): string[] {
    return found.flatMap((word) => {
      if (word === undefined) return []
      this.#bits.set(word._id, word.bits)
      return [word._id]
    })
  }
}

/** The word itself and its stems. */
export const ownForms = (word: string, factor: number = FACTOR.exact): SearchedForm[] =>
  formsOf(word).map((form) => ({ form, factor: form === word ? factor : factor - (FACTOR.exact - FACTOR.stem) }))
