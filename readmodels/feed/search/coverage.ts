/** How much of a search a creation holds, and where it can be seen. Ask weighs this against what its documentation says. */
import { words } from '../../../src/lib/tokenize.js'
import { TAG, type TermsDoc, TITLE } from './documents.js'
import type { SearchedWord } from './query.js'
import { formsIn } from './stems.js'
import { FACTOR } from './vocabulary.js'

/** Descriptions name much that a creation is not about. */
const DESCRIBED_SHARE = 0.4

export interface Coverage {
  /** The weight of the words that it holds among that of all, from 0 to 1. A word of the same topic counts less than the word itself. */
  share: number
  /** The searched words that it holds, in some form or in meaning. */
  words: string[]
  /** Forms in its title and tags that matched. */
  forms: string[]
}

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
