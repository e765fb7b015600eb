/** What the integrity model has found, in words: for `status`, `doctor` and the dashboard. */
import { plural } from '../lib/message-text.js'
import { gapSize, gapsText } from '../lib/sequence-gaps.js'
import type { IntegrityCounts, IntegrityReport } from '../ports/integrity-report.js'

/** The counts in one line. */
export function integrityCountsText({ aggregates, gaps, givenUp, late, duplicates, conflicts }: IntegrityCounts): string {
  const counts = [
    plural(aggregates, 'aggregate'),
    `${gaps} with gaps`,
    plural(late, 'late event'),
    plural(duplicates, 'duplicate'),
    plural(conflicts, 'conflict'),
    ...(givenUp === 0 ? [] : [`${plural(givenUp, 'missing sequence')} given up`]),
  ]
  return counts.join(', ')
}

export interface IntegrityFinding {
  kind: 'missing' | 'given up' | 'conflict' | 'late'
  /** One text for each aggregate, up to a number. */
  where: string[]
  /** `null` where nothing has to be done. */
  remedy: string | null
}

const PUBLISH_AGAIN = 'publish the missing events again, in any order, at any time: each is folded when it comes'
const PUBLISH_GIVEN_UP =
  'publish these events again, too: plays and scores among them no longer count for popular and trending, all else is as if they had come in time'

/** The kinds that were found. Duplicates are only counted. */
export function integrityFindings({ gaps, givenUp, conflicts, missing, conflicting, lateArrivals }: IntegrityReport): IntegrityFinding[] {
  const findings: IntegrityFinding[] = []
  const named = missing.filter(({ ranges }) => ranges.length > 0)
  const unnamed = gaps - missing.length
  if (named.length > 0 || unnamed > 0)
    findings.push({ kind: 'missing', where: withRest(named.map(missingText), unnamed, 'aggregate'), remedy: PUBLISH_AGAIN })
  if (givenUp > 0) {
    const where = missing.filter((each) => each.givenUp > 0).map((each) => `${each.aggregate} misses ${each.givenUp} more`)
    findings.push({ kind: 'given up', where, remedy: PUBLISH_GIVEN_UP })
  }
  const [conflict] = conflicting
  if (conflict !== undefined)
    findings.push({
      kind: 'conflict',
      where: withRest(conflicting.map(conflictText), conflicts - conflicting.length, 'conflict'),
      remedy: resolve(conflict),
    })
  if (lateArrivals.length > 0) findings.push({ kind: 'late', where: lateArrivals.map(lateText), remedy: null })
  return findings
}

const withRest = (texts: string[], rest: number, what: string): string[] => (rest > 0 ? [...texts, plural(rest, `more ${what}`)] : texts)

function missingText({ aggregate, ranges, sequences, since }: IntegrityReport['missing'][number]): string {
  const rest = gapSize(ranges) < sequences ? ` and more, ${sequences} in all` : ''
  return `${aggregate} misses ${gapsText(ranges)}${rest}, since position ${since}`
}

type Conflict = IntegrityReport['conflicting'][number]

const conflictText = ({ aggregate, sequence, position }: Conflict): string =>
  `${aggregate} has two events with sequence ${sequence}, the second at position ${position}`

const resolve = ({ aggregate, position }: Conflict): string =>
  `"vitrine explain ${aggregate}" shows both; discard the wrong one, here the second: "vitrine dead-letters discard all ${position} --folded --reason …", then run "vitrine rebuild all"`

const lateText = ({ aggregate, late, position }: IntegrityReport['lateArrivals'][number]): string =>
  `${aggregate} got ${plural(late, 'late event')}, the newest at position ${position}`
