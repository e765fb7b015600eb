/** How well a creation fits a search: whole numbers, so that every store gives the same order. */
import { words } from '../../../src/lib/tokenize.js'
import { TAG, type TermsDoc, TITLE } from './documents.js'
import type { SearchedWord } from './query.js'
import { formsIn } from './stems.js'
import { FACTOR } from './vocabulary.js'

/** What a match in each field is worth. */
export const FIELD = { title: 8, tag: 6, description: 2 }
/** A creation of the kind that is named comes before an equal one of another. */
const KIND = 330

export interface Scored {
  id: string
  score: number
  quality: number
}

export interface Match extends Scored {
  /** How much of the search it holds, wherever that stands. */
  held: number
}

/** What each word adds: by where it was found, how exactly, and how rare it is. */
export function scored({ _id, ranked, terms, kind, quality }: TermsDoc, wanted: readonly SearchedWord[]): Match {
  const named = new Set(ranked)
  const described = new Set(terms)
  let score = 0
  let held = 0
  for (const { weight, forms, described: texts, kinds } of wanted) {
    let best = { worth: 0, factor: 0 }
    const found = (factor: number, field: number) => {
      if (factor * field >= best.worth) best = { worth: factor * field, factor }
    }
    for (const { form, factor } of forms) {
      if (named.has(TITLE + form)) found(factor, FIELD.title)
      else if (named.has(TAG + form)) found(factor, FIELD.tag)
    }
    for (const { form, factor } of texts) if (described.has(form)) found(factor, FIELD.description)
    score += weight * best.worth
    held += weight * best.factor
    if (kind !== null && kinds.includes(kind)) score += KIND * weight
  }
  return { id: _id, score, quality, held }
}

/** What holds less than half as much as the best does is not what was looked for. */
const LEAST_SHARE = 0.5

export function fitting(matches: readonly Match[]): Match[] {
  const most = matches.reduce((most, { held }) => Math.max(most, held), 0)
  return matches.filter(({ held }) => held > 0 && held >= most * LEAST_SHARE)
}

/** The best first; of equal ones the more popular. */
export const compareScored = (a: Scored, b: Scored): number => b.score - a.score || b.quality - a.quality || (a.id < b.id ? 1 : -1)

/** Descriptions name much that a creation is not about. */
const DESCRIBED_SHARE = 0.4

interface Coverage {
  /** The weight of the words that it holds among that of all, from 0 to 1. A word of the same topic counts less than the word itself. */
  share: number
  /** The searched words that it holds, in some form or in meaning. */
  words: string[]
  /** Forms in its title and tags that matched. */
  forms: string[]
}

/** How much of a search a creation holds, and where it can be seen. Ask weighs this against what its documentation says. */
export function coverageOf(
  { ranked, terms, kind }: Pick<TermsDoc, 'ranked' | 'terms' | 'kind'>,
  wanted: readonly SearchedWord[],
): Coverage {
  const held = new Set(ranked)
  const described = new Set(terms)
  const found: Coverage = { share: 0, words: [], forms: [] }
  let covered = 0
  let all = 0
  for (const { word, weight, forms, described: texts, kinds } of wanted) {
    const own = forms.filter(({ form }) => held.has(TITLE + form) || held.has(TAG + form))
    const isNamed = kind !== null && kinds.includes(kind)
    const isDescribed = texts.some(({ form }) => described.has(form))
    const best = Math.max(isNamed ? FACTOR.exact : 0, isDescribed ? DESCRIBED_SHARE * FACTOR.exact : 0, ...own.map(({ factor }) => factor))
    all += weight
    covered += (weight * best) / FACTOR.exact
    if (best >= DESCRIBED_SHARE * FACTOR.exact) found.words.push(word)
    const meant = own.filter(({ factor }) => factor > FACTOR.related)
    found.forms.push(...(meant.length > 0 ? meant : own).map(({ form }) => form))
  }
  return { ...found, share: all === 0 ? 0 : covered / all }
}

/** The words of a title and the tags that have one of the forms, as they are written. */
export function writtenAs(forms: readonly string[], title: string, tags: readonly string[], language: string): string[] {
  const wanted = new Set(forms)
  // These are remembered: most words of a page stand on the next one too.
  const languages = new Set([...SEARCHED, language])
  const holds = (word: string) => [...languages].some((each) => formsIn(each, word).some((form) => wanted.has(form)))
  const inTitle = (title.match(RUN) ?? []).flatMap((run) => {
    const parts = words(run)
    // A run of a script without spaces has several words.
    return parts.length === 1 ? (parts.some(holds) ? [run.toLowerCase()] : []) : parts.filter(holds)
  })
  const inTags = tags.filter((tag) => words(tag).some(holds))
  return [...new Set([...inTitle, ...inTags])]
}

/** The languages in which a typed word is stemmed. */
const SEARCHED = ['en', 'de', 'es']

const RUN = /[\p{L}\p{N}\p{M}]+/gu
