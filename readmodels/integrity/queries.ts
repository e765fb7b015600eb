import { gapSize } from '../../src/lib/sequence-gaps.js'
import type { Reads } from '../../src/ports/document-store.js'
import type { IntegrityCounts, IntegrityReport } from '../../src/ports/integrity-report.js'
import { arrivals, BLANK_SUMMARY, conflicts, integrity, SUMMARY } from './documents.js'

export async function readIntegrityCounts(reads: Pick<Reads, 'get'>): Promise<IntegrityCounts> {
  const [summary = BLANK_SUMMARY] = await reads.get(integrity, [SUMMARY])
  const { _id, ...counts } = summary
  return counts
}

/** Names at most `limit` aggregates of each kind, and as many ranges of each: the cost does not grow with the log. */
export async function readIntegrity(reads: Pick<Reads, 'get' | 'range'>, limit: number): Promise<IntegrityReport> {
  const [counts, incomplete, late, conflicting] = await Promise.all([
    readIntegrityCounts(reads),
    reads.range(arrivals, { index: 'gaps', equals: [], limit }),
    reads.range(arrivals, { index: 'late', equals: [], limit }),
    reads.range(conflicts, { index: 'byPosition', equals: [], limit }),
  ])
  return {
    ...counts,
    missing: incomplete.map(({ _id, missing, gapSince, givenUp }) => ({
      aggregate: _id,
      ranges: missing.slice(0, limit),
      sequences: gapSize(missing),
      givenUp,
      since: gapSince ?? 0,
    })),
    lateArrivals: late.map(({ _id, late, lateAt }) => ({ aggregate: _id, late, position: lateAt ?? 0 })),
    conflicting: conflicting.map(({ aggregate, sequence, position, eventId }) => ({ aggregate, sequence, position, eventId })),
  }
}
