/** The words of a search, each with the forms under which creations hold it. */
import { z } from 'zod'
import { KINDS, type Kind } from '../../../src/events/index.js'
import { readJson } from '../../../src/lib/package-root.js'
import { singular, words } from '../../../src/lib/tokenize.js'
import type { Reads, SearchReads } from '../../../src/ports/document-store.js'
import { compoundEnds, compoundParts } from './compounds.js'
import { MIN_SPELLED } from './deletions.js'
import { frequencies, terms } from './documents.js'
import { nearest, nearWords } from './spelling.js'
import { formsOf } from './stems.js'
import { isSmallWord, withoutStopWords } from './stop-words.js'
import { phrasesAmong, type Related, relatedWords } from './topics.js'

/** Each further word costs as much as the first, and finds hardly less. */
export const MAX_WORDS = 12
/** Descriptions are searched for words that at most so many creations hold. */
export const MAX_DESCRIBED = 500
/** How many forms of other words of a topic count. */
const MAX_RELATED_FORMS = 16
/** How many words of a search are widened, and how many others each leads to. */
const MAX_WIDENED = 6
const MAX_RELATED = 150
const MAX_PHRASES = 4
/** How many forms count in all. */
const MAX_FORMS = 24
/** How many words beginning with what is typed count. */
const MAX_COMPLETIONS = 20

/** How much a form counts, in twelfths. */
const FACTOR = { exact: 12, stem: 10, completed: 9, part: 8, misspelled: 8, same: 6, related: 3 }

export interface SearchedForm {
  form: string
  factor: number
}

export interface SearchedWord {
  word: string
  /** Grows with how rare the word is. */
  weight: number
  /** Forms that titles or tags hold. */
  forms: readonly SearchedForm[]
  /** The term for it in descriptions; none where nothing has it. */
  described: readonly (SearchedForm & { rare: boolean })[]
  /** The kinds that the word names. */
  kinds: readonly Kind[]
}

const Words = z.array(z.string()).transform((lines) => words(lines.join(' ')))
const KIND_WORDS = new Map(
  Object.entries(readJson('content/search/kinds.json', z.record(z.enum(KINDS), Words))).flatMap(([kind, named]) =>
    // The schema has named the keys.
    named.map((word): [string, Kind] => [word, kind as Kind]),
  ),
)

export interface SearchText {
  q: string
  locale: string
  /** The last word may be the beginning of one. */
  prefix: boolean
}

type Searchable = Reads & SearchReads

/** Looks the words up. Small words are left out, misspelled ones replaced, and what has to do with a word counts a little. */
export async function searchedWords(reads: Searchable, { q, locale, prefix }: SearchText): Promise<SearchedWord[]> {
  const all = words(q)
  const typed = [...new Set(withoutStopWords(all, locale))].slice(0, MAX_WORDS)
  const last = prefix ? all.at(-1) : undefined
  const parts = new Map(typed.map((word) => [word, partsOfWord(word)]))
  const phrases = phrasesAmong(all).slice(0, MAX_PHRASES)
  const named = [...typed, ...[...parts.values()].flat(), ...phrases.map((phrase) => phrase.join(' '))]
  const related = new Map(named.map((word, nth) => [word, nth < MAX_WIDENED ? relatedWords(word).slice(0, MAX_RELATED) : []]))
  const bits = await frequenciesOf(reads, [
    ...typed.flatMap(formsOf),
    ...[...parts.values()].flat().flatMap(formsOf),
    ...[...related.values()].flat().flatMap(({ forms }) => forms),
  ])
  const found = await Promise.all(
    typed.map(async (word): Promise<SearchedWord[]> => {
      const own = ownForms(word).filter(({ form }) => bits.has(form))
      const completed = word === last ? await completionsOf(reads, word) : []
      const described = await describedBy(reads, word)
      const wider = wideningOf(related.get(word) ?? [], bits)
      const partsOf = parts.get(word) ?? []
      if (own.length === 0 && completed.length === 0 && described.count === 0) {
        const known = partsOf.filter((part) => isKnown(part, bits, related))
        if (known.length > 0)
          return known.map((part) =>
            searched(part, ownForms(part, FACTOR.part), [...wider, ...wideningOf(related.get(part) ?? [], bits)], NOT_DESCRIBED, bits),
          )
        const meant = related.get(word)?.length === 0 && word.length >= leastSpelled(typed) ? await meantBy(reads, word) : []
        for (const { form, bits: of } of meant) bits.set(form, of)
        const corrected = meant.flatMap(({ form }) => relatedWords(form))
        const alike = [...corrected.flatMap(({ forms }) => forms), ...meant.flatMap(({ form }) => formsOf(form))]
        for (const [form, of] of await frequenciesOf(reads, alike)) bits.set(form, of)
        const forms = meant.flatMap(({ form }) => ownForms(form, FACTOR.misspelled))
        return [searched(word, forms, [...wider, ...wideningOf(corrected, bits)], NOT_DESCRIBED, bits)]
      }
      const forms = [...own, ...completed, ...compoundParts(word).flatMap((part) => ownForms(part, FACTOR.same))]
      for (const { form, of } of completed) bits.set(form, of)
      return [searched(word, forms, wider, described, bits)]
    }),
  )
  const phrased = phrases.flatMap((phrase) => {
    const wider = wideningOf(related.get(phrase.join(' ')) ?? [], bits).filter(({ factor }) => factor === FACTOR.same)
    return wider.length === 0 ? [] : [{ phrase, ...searched(phrase.join(' '), [], wider, NOT_DESCRIBED, bits) }]
  })
  const parted = new Set(phrased.flatMap(({ phrase }) => phrase))
  const weighed = found.flat().map((one) => ({ ...one, weight: Math.ceil(one.weight / lighter(one, typed.length > 1, parted)) }))
  return withFewForms([...weighed, ...phrased])
}

/** The forms that count most: each is looked up. */
function withFewForms(found: readonly SearchedWord[]): SearchedWord[] {
  const all = found.flatMap(({ forms }) => forms).sort((a, b) => b.factor - a.factor)
  const kept = new Set(all.slice(0, MAX_FORMS))
  return found.map((one) => ({ ...one, forms: one.forms.filter((form) => kept.has(form)) }))
}

/** What a word alone says less: one of a phrase, and one that names a kind beside what is looked for. */
const lighter = ({ word, kinds }: SearchedWord, isBesideOthers: boolean, parted: ReadonlySet<string>): number =>
  parted.has(word) ? 4 : kinds.length > 0 && isBesideOthers ? 3 : 1

/** Whether the gallery has it, or something that has to do with it. */
const isKnown = (part: string, bits: ReadonlyMap<string, number>, related: ReadonlyMap<string, readonly Related[]>): boolean =>
  formsOf(part).some((form) => bits.has(form)) || wideningOf(related.get(part) ?? [], bits).length > 0

const partsOfWord = (word: string): readonly string[] => {
  const parts = compoundParts(word)
  return parts.length > 0 ? parts : compoundEnds(word)
}

const ownForms = (word: string, factor: number = FACTOR.exact): SearchedForm[] =>
  formsOf(word).map((form) => ({ form, factor: form === word ? factor : factor - (FACTOR.exact - FACTOR.stem) }))

interface Described {
  term: string
  count: number
}

const NOT_DESCRIBED: Described = { term: '', count: 0 }

function searched(
  word: string,
  own: readonly SearchedForm[],
  wider: readonly SearchedForm[],
  { term, count }: Described,
  bits: ReadonlyMap<string, number>,
): SearchedWord {
  const forms = [...own, ...wider].filter(({ form }, at, all) => bits.has(form) && all.findIndex((other) => other.form === form) === at)
  const counted = own.length > 0 ? own : forms
  const most = Math.max(32 - Math.clz32(count), ...counted.map(({ form }) => bits.get(form) ?? 0))
  return {
    word,
    weight: weightFor(most),
    forms,
    described: count === 0 ? [] : [{ form: term, factor: FACTOR.exact, rare: count <= MAX_DESCRIBED }],
    kinds: [KIND_WORDS.get(word)].filter((kind) => kind !== undefined),
  }
}

/** By the bits of how many creations hold the word, not by its share: a publication must not change the order of everything. */
const weightFor = (bits: number): number => (21 - Math.min(bits, 20)) ** 2

async function frequenciesOf(reads: Reads, forms: readonly string[]): Promise<Map<string, number>> {
  const wanted = [...new Set(forms)]
  if (wanted.length === 0) return new Map()
  const found = await reads.get(frequencies, wanted)
  return new Map(found.flatMap((word) => (word === undefined ? [] : [[word._id, word.bits]])))
}

async function describedBy(reads: SearchReads, word: string): Promise<Described> {
  const term = singular(word)
  return { term, count: await reads.countMatching(terms, { index: 'byTerm', terms: [term], prefix: null }, MAX_DESCRIBED + 1) }
}

async function completionsOf(reads: Reads, beginning: string): Promise<(SearchedForm & { of: number })[]> {
  const found = await reads.range(frequencies, { index: '_id', equals: [], startsWith: beginning, limit: MAX_COMPLETIONS })
  return found.map(({ _id, bits }) => ({ form: _id, factor: _id === beginning ? FACTOR.exact : FACTOR.completed, of: bits }))
}

/** In a sentence short words are rather words that the gallery does not use. */
const leastSpelled = (typed: readonly string[]): number => (typed.length > 2 ? 6 : MIN_SPELLED)

/** The words that were meant by one that nothing holds. */
async function meantBy(reads: Reads, word: string): Promise<{ form: string; bits: number }[]> {
  if (isSmallWord(word)) return []
  // A stem may be nearer: endings differ, too.
  for (const spelled of formsOf(word)) {
    const near = await nearWords(reads, frequencies, spelled)
    const bits = new Map(near.map((found) => [found._id, found.bits]))
    const meant = nearest(
      spelled,
      near.map(({ _id, bits: uses }) => ({ word: _id, uses })),
    )
    if (meant.length > 0) return meant.map((form) => ({ form, bits: bits.get(form) ?? 1 }))
  }
  return []
}

/** The forms of other words of the same and of related topics that the gallery uses; the nearest in meaning first, then the rarest. */
function wideningOf(related: readonly Related[], bits: ReadonlyMap<string, number>): SearchedForm[] {
  const forms = related.flatMap(({ forms, near }) => forms.map((form) => ({ form, factor: near ? FACTOR.same : FACTOR.related })))
  return forms
    .filter(({ form }) => bits.has(form))
    .sort((a, b) => b.factor - a.factor || (bits.get(a.form) ?? 0) - (bits.get(b.form) ?? 0) || (a.form < b.form ? -1 : 1))
    .slice(0, MAX_RELATED_FORMS)
}
