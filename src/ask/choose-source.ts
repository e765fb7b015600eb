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
