import type { Aim } from './parse/aim.js'
import type { ParsedText } from './parse/intent.js'
import type { Slots } from './parse/slots.js'
import type { Hit } from './retrieve/passage-index.js'

/** A passage that covers this much of a question is meant, unless the question points to the community. */
const CLEAR_COVERAGE = 0.7

/** Which source answers a question. `live` may still find nothing; then the documentation gets its turn. */
export function chooseSource(
  { slots, asksHow, isComparison, isWeakMatch, ranksCreators, asksPrivate }: ParsedText,
  [best]: readonly Hit[],
  isOutOfScope: boolean,
): 'documentation' | 'live' | 'unknown' {
  const { handle, tag, sort, intent } = slots
  if (ranksCreators && !asksHow && handle === null) return 'unknown'
  if (asksPrivate && handle !== null) return 'unknown'
  const isDocumented = best !== undefined && (asksHow || namesOnlyACategory(slots) || (isWeakMatch && best.coverage >= CLEAR_COVERAGE))
  if (isDocumented && handle === null && tag === null) return 'documentation'
  if (isOutOfScope && handle === null) return 'unknown'
  if (isComparison && (handle !== null || sort !== null || intent !== null)) return 'unknown'
  return 'live'
}

/** A category alone may be an ordinary word of the product, such as "work". */
const namesOnlyACategory = ({ category, ...others }: Slots): boolean =>
  category !== null && Object.values(others).every((value) => value === null || value === false)

/** How much of a text a creation has to hold to be what was asked for. Talk around a wish may be long; a fact is about just one thing. */
const MIN_SHARE: Record<Aim, number> = { fact: 0.68, advice: 0.12, wish: 0.1 }
/** What is not found in the order that was asked for, such as a misspelled topic. */
export const MIN_SHARE_NEARLY = 0.6
/** What holds so much is named beside "I do not know". */
export const MIN_SHARE_NAMED = 0.28
/** A wish that is also said like a question about people or scores. */
const MIN_SHARE_UNCLEAR = 0.38
/** A passage covers words in many forms, and everything is about something: for a wish it needs to fit clearly better. */
const WISH_PREFERENCE = 0.5
/** The same for a passage that covers all there is. */
const WISH_PREFERENCE_OVER_ALL = 0.65
const FULL_COVERAGE = 0.95

/** Whether nothing but the words of a question say what it is about, so that creations may fit it best. */
export function isOpen({ slots, isFollowUp, asksCount, ranksCreators, isComparison }: ParsedText): boolean {
  const { handle, slug, name, tag, sort, featured, remixed, intent } = slots
  if (isFollowUp || asksCount || ranksCreators || isComparison || featured || remixed) return false
  return [handle, slug, name, tag, sort].every((slot) => slot === null) && intent !== 'tags' && intent !== 'categories'
}

/** Whether a passage answers so surely that creations need not be looked up. */
export const isClearlyDocumented = ({ asksHow }: ParsedText, [best]: readonly Hit[], aim: Aim, isTechnical: boolean): boolean =>
  best !== undefined && (isTechnical || (aim !== 'wish' && (asksHow || best.coverage >= CLEAR_COVERAGE)))

/** Whether creations, of which the best holds `share` of a question, fit it better than the passages. */
export function prefersCreations(
  { asksHow, slots }: ParsedText,
  [best]: readonly Hit[],
  { aim, wantsThing }: { aim: Aim; wantsThing: boolean },
  share: number,
): boolean {
  const isUnclear = aim === 'wish' && slots.intent !== null && slots.intent !== 'made'
  if (share < (isUnclear ? MIN_SHARE_UNCLEAR : MIN_SHARE[aim])) return false
  if (best === undefined || (wantsThing && aim === 'wish')) return true
  if (aim !== 'wish' || asksHow) return share > best.coverage
  return share >= (best.coverage >= FULL_COVERAGE ? WISH_PREFERENCE_OVER_ALL : WISH_PREFERENCE) * best.coverage
}
