import type { SequenceGaps } from '../lib/sequence-gaps.js'

/** How many sequences of upstream are missing, came late, came again or came twice with different events. */
export interface IntegrityCounts {
  aggregates: number
  /** Aggregates with something missing. */
  gaps: number
  /** Missing sequences that are only counted, because their aggregate has too many gaps. */
  givenUp: number
  late: number
  duplicates: number
  conflicts: number
}

/** The counts, and names: a bounded list of each kind. */
export interface IntegrityReport extends IntegrityCounts {
  /** Those with the oldest gaps. */
  missing: {
    aggregate: string
    /** The first ones. */
    ranges: SequenceGaps
    /** In all ranges, also those that are not listed. */
    sequences: number
    givenUp: number
    /** The position of the event that showed the oldest gap. */
    since: number
  }[]
  /** The newest ones. */
  lateArrivals: { aggregate: string; late: number; position: number }[]
  /** `position` is of the second event. */
  conflicting: { aggregate: string; sequence: number; position: number; eventId: string }[]
}
