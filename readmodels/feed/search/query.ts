/** The words of a search, each with the forms under which creations hold it. */
import { z } from 'zod'
import { KINDS, type Kind } from '../../../src/events/index.js'
import { readJson } from '../../../src/lib/package-root.js'
import { words } from '../../../src/lib/tokenize.js'
import type { Reads, SearchReads } from '../../../src/ports/document-store.js'
import { compoundEnds, compoundParts } from './compounds.js'
import { MIN_SPELLED } from './spelling.js'
import { isSmallWord, withoutStopWords } from './stop-words.js'
import { thesaurus } from './topics.js'
import { type Described, FACTOR, MAX_DESCRIBED, ownForms, type SearchedForm, Vocabulary } from './vocabulary.js'

/** Each further word costs as much as the first, and finds hardly less. */
export const MAX_WORDS = 12
/** Among so many words phrases are looked for, and so many of them count. */
const MAX_PHRASED = 60
const MAX_PHRASES = 4
/** How many forms count in all. */
const MAX_FORMS = 24
/** Where titles or tags of so many creations, in bits, hold a word, nobody looks for it in descriptions: those come after. */
const MANY_NAMED_BITS = 7

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

/** Looks the words up. Small words are left out, misspelled ones replaced, and what has to do with a word counts a little. */
export async function searchedWords(reads: Reads & SearchReads, { q, locale, prefix }: SearchText): Promise<SearchedWord[]> {
  const all = words(q)
  const typed = [...new Set(withoutStopWords(all, locale))].slice(0, MAX_WORDS)
  const vocabulary = await Vocabulary.of(reads, typed)
  const beginning = prefix ? all.at(-1) : undefined
  const found = await Promise.all(
    typed.map(async (word) => {
      const used = await asUsed(word, word === beginning, vocabulary)
      if (used !== null) return [used]
      const wider = vocabulary.wider(word)
      if (wider.length > 0) return [searched(word, [], [...wider, ...vocabulary.inUse(partForms(word))], vocabulary)]
      return (
        asParts(compoundParts(word), FACTOR.part, vocabulary) ??
        (await asMeant(word, leastSpelled(word, typed), vocabulary)) ??
        asParts(compoundEnds(word), FACTOR.same, vocabulary) ?? [searched(word, [], [], vocabulary)]
      )
    }),
  )
  const phrases = thesaurus()
    .phrasesAmong(all.slice(0, MAX_PHRASED).map((word) => vocabulary.corrected(word)))
    .slice(0, MAX_PHRASES)
  await vocabulary.learnPhrases(phrases.map((phrase) => phrase.join(' ')))
  const phrased = phrases.map((phrase) => ({ phrase, ...asPhrase(phrase.join(' '), vocabulary) })).filter(({ forms }) => forms.length > 0)
  const parted = new Set(phrased.flatMap(({ phrase }) => phrase))
  const weighed = found.flat().map((one) => ({ ...one, weight: Math.ceil(one.weight / lighter(one, typed.length > 1, parted)) }))
  return withFewForms([...weighed, ...phrased])
}

const partForms = (compound: string): SearchedForm[] => compoundParts(compound).flatMap((part) => ownForms(part, FACTOR.same))

/** A word that the gallery has; null for others. */
async function asUsed(word: string, isBeginning: boolean, vocabulary: Vocabulary): Promise<SearchedWord | null> {
  const own = vocabulary.inUse(ownForms(word))
  const completed = isBeginning ? await vocabulary.completions(word) : []
  const described = await vocabulary.described(word)
  if (own.length === 0 && completed.length === 0 && described.count === 0) return null
  return searched(word, [...own, ...completed, ...partForms(word)], vocabulary.wider(word), vocabulary, described)
}

/** A compound that only its parts lead on from. */
function asParts(all: readonly string[], factor: number, vocabulary: Vocabulary): SearchedWord[] | null {
  const parts = vocabulary.leading(all)
  if (parts.length === 0) return null
  return parts.map((part) => searched(part, ownForms(part, factor), vocabulary.wider(part), vocabulary))
}

/** A misspelled word. */
async function asMeant(word: string, leastLetters: number, vocabulary: Vocabulary): Promise<SearchedWord[] | null> {
  if (thesaurus().knows(word) || word.length < leastLetters || isSmallWord(word)) return null
  const meant = await vocabulary.meant(word)
  if (meant.length === 0) return null
  const forms = meant.flatMap((each) => ownForms(each, FACTOR.misspelled))
  const wider = meant.flatMap((each) => vocabulary.wider(each))
  return [searched(word, forms, wider, vocabulary)]
}

/** What a phrase means; its words are searched for themselves. */
const asPhrase = (phrase: string, vocabulary: Vocabulary): SearchedWord =>
  searched(
    phrase,
    [],
    vocabulary.wider(phrase).filter(({ factor }) => factor === FACTOR.same),
    vocabulary,
  )

function searched(
  word: string,
  own: readonly SearchedForm[],
  wider: readonly SearchedForm[],
  vocabulary: Vocabulary,
  { term, count }: Described = { term: '', count: 0 },
): SearchedWord {
  const known = vocabulary.inUse(own)
  const bits = (forms: readonly SearchedForm[]) => forms.map(({ form }) => vocabulary.bits(form))
  const named = Math.max(0, ...bits(known))
  const most = Math.max(32 - Math.clz32(count), named)
  // A word that nothing holds is rarer than any that means the same.
  const weight = weightFor(most > 0 || wider.length === 0 ? most : Math.min(...bits(wider)))
  const scaled = wider.map(({ form, factor }) => {
    const share = Math.min(1, weightFor(vocabulary.bits(form)) / weight)
    return { form, factor: Math.ceil(factor * share) }
  })
  return {
    word,
    weight,
    forms: vocabulary.inUse([...known, ...scaled]),
    described: count === 0 ? [] : [{ form: term, factor: FACTOR.exact, rare: count <= MAX_DESCRIBED && named < MANY_NAMED_BITS }],
    kinds: [KIND_WORDS.get(word)].filter((kind) => kind !== undefined),
  }
}

/** By the bits of how many creations hold the word, not by its share: a publication must not change the order of everything. */
const weightFor = (bits: number): number => (21 - Math.min(bits, 20)) ** 2

/** What a word alone says less: one of a phrase, and one that names a kind beside what is looked for. */
const lighter = ({ word, kinds }: SearchedWord, isBesideOthers: boolean, parted: ReadonlySet<string>): number =>
  parted.has(word) ? 4 : kinds.length > 0 && isBesideOthers ? 3 : 1

/** The forms that count most: each is looked up. */
function withFewForms(found: readonly SearchedWord[]): SearchedWord[] {
  const all = [...found]
    .reverse()
    .flatMap(({ forms }) => forms)
    .sort((a, b) => b.factor - a.factor)
  const kept = new Set(all.slice(0, MAX_FORMS))
  return found.map((one) => ({ ...one, forms: one.forms.filter((form) => kept.has(form)) }))
}

/** In a sentence short words are rather words that the gallery does not use, unless they are foreign ones in Japanese. */
const leastSpelled = (word: string, typed: readonly string[]): number => (KATAKANA.test(word) ? 3 : typed.length > 2 ? 6 : MIN_SPELLED)

const KATAKANA = /^[\p{Script=Katakana}ー]+$/u
