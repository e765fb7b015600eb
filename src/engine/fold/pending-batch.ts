import { type Decoded, type Position, REMOVAL_EVENTS } from '../../events/index.js'
import type { Checkpoint, CommitTooLargeError, FanOutProgress } from '../../ports/document-store.js'
import type { Outcome } from './event-applier.js'
import type { DecodedRecord } from './log-page.js'
import type { CommittedBatch, NewlyParked } from './telemetry.js'

/** The last event folded. */
export type LastFolded = Pick<Checkpoint, 'position' | 'eventId'>

/** Readers and the other projections of the process notice it. */
const SLOW_FOLD_MS = 50

/** What the events folded since the last commit add to the checkpoint and to the figures. */
export class PendingBatch {
  #outcomes: Partial<Record<Outcome, number>> = {}
  #parked: NewlyParked[] = []
  #invalidBefore: Position
  #startedAt: number | null = null
  /** By a monotonic clock. */
  #since = 0
  #foldMs = 0
  /** Characters of the events. */
  #length = 0
  #slowFold: CommittedBatch['slowFold'] = null

  constructor(invalidBefore: Position) {
    this.#invalidBefore = invalidBefore
  }

  get length(): number {
    return this.#length
  }

  get ageMs(): number {
    return performance.now() - this.#since
  }

  foldStarted(now: number): void {
    if (this.#startedAt !== null) return
    this.#startedAt = Date.now()
    this.#since = now
  }

  foldEnded(ms: number): void {
    this.#foldMs += ms
  }

  /**
   * `hasRemoved`: caches may show nothing older than this event, and retired generations have to follow. `ms`: how long the fold kept
   * all else from running.
   */
  count({ decoded, record }: DecodedRecord, outcome: Outcome, hasRemoved: boolean, ms: number): void {
    if (ms >= SLOW_FOLD_MS && ms > (this.#slowFold?.ms ?? 0)) this.#slowFold = { position: record.position, ms: Math.round(ms) }
    if (outcome === 'parked') this.#parked.push({ eventId: record.id, aggregate: record.subject, position: record.position })
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1
    this.#length += record.payload.length
    if (hasRemoved || isAppliedRemoval(decoded, outcome)) this.#invalidBefore = record.position
  }

  checkpointAfter({ epoch, tallies }: Checkpoint, { position, eventId }: LastFolded, slice: FanOutProgress | null): Checkpoint {
    return { position, eventId, slice, epoch, tallies: sumCounts(tallies, this.#outcomes), floor: this.#invalidBefore }
  }

  summary(from: Checkpoint, to: Checkpoint): Omit<CommittedBatch, 'commitMs'> {
    return {
      from: from.position,
      to: to.position,
      lastEventId: to.eventId,
      outcomes: { ...this.#outcomes },
      parked: this.#parked,
      startedAt: this.#startedAt ?? Date.now(),
      foldMs: this.#foldMs,
      slowFold: this.#slowFold,
    }
  }

  /** Everything so far is committed, or being committed. */
  committed(): void {
    this.#outcomes = {}
    this.#parked = []
    this.#startedAt = null
    this.#foldMs = 0
    this.#slowFold = null
    this.#length = 0
  }

  /** The events are going to be folded again. The time they took still counts. */
  rewound({ floor }: Checkpoint): void {
    this.#outcomes = {}
    this.#parked = []
    this.#length = 0
    this.#invalidBefore = floor
  }
}

/** In a projection without tombstones, too. */
export const isAppliedRemoval = (decoded: Decoded, outcome: Outcome): boolean =>
  decoded.outcome === 'event' && outcome === 'applied' && REMOVAL_EVENTS.has(decoded.event.name)

function sumCounts(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const sum = { ...a }
  for (const [key, value] of Object.entries(b)) sum[key] = (sum[key] ?? 0) + value
  return sum
}

/** How many changes one commit may hold: halved when the store refuses one as too large, raised again slowly. */
export class CommitLimit {
  #changes = Number.POSITIVE_INFINITY

  /** Asked after every event, so the changes are only counted where a commit was refused. */
  isReached(unit: { changeCount: number }): boolean {
    return this.#changes !== Number.POSITIVE_INFINITY && unit.changeCount >= this.#changes
  }

  /** Throws the refusal when a commit of one change was too large. */
  halve(refusal: CommitTooLargeError): void {
    const changes = Math.floor(Math.min(refusal.changes, this.#changes) / 2)
    if (changes < 1) throw refusal
    this.#changes = changes
  }

  /** A live writer may last for months, and the cause may have gone. */
  raise(): void {
    this.#changes += Math.ceil(this.#changes / 16)
  }
}
