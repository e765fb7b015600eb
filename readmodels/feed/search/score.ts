/** How well a creation fits a search: whole numbers, so that every store gives the same order. */

import { TAG, type TermsDoc, TITLE } from './documents.js'
import type { SearchedWord } from './query.js'

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
