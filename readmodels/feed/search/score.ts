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

/** What each word adds: by where it was found, how exactly, and how rare it is. */
export function scoreOf({ ranked, terms, kind }: Pick<TermsDoc, 'ranked' | 'terms' | 'kind'>, wanted: readonly SearchedWord[]): number {
  const held = new Set(ranked)
  const described = new Set(terms)
  let score = 0
  let fits = false
  for (const { weight, forms, described: texts, kinds } of wanted) {
    let best = 0
    for (const { form, factor } of forms) {
      const field = held.has(TITLE + form) ? FIELD.title : held.has(TAG + form) ? FIELD.tag : 0
      best = Math.max(best, factor * field)
    }
    for (const { form, factor } of texts) if (described.has(form)) best = Math.max(best, factor * FIELD.description)
    if (best > 0) fits = true
    score += weight * best
    if (kind !== null && kinds.includes(kind)) score += KIND * weight
  }
  return fits ? score : 0
}

/** The best first; of equal ones the more popular. */
export const compareScored = (a: Scored, b: Scored): number => b.score - a.score || b.quality - a.quality || (a.id < b.id ? 1 : -1)
