import { setImmediate as nextTurn } from 'node:timers/promises'
import { decode, type Position } from '../../events/index.js'
import type { Checkpoint, DocumentStore, FanOutProgress, GenerationStore, RunStep } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { type DeadLetterDoc, deadLetters, deadLettersOf, parkedAggregates } from '../definition/dead-letter-collections.js'
import { type Projection, REMOVAL_EVENTS, ref } from '../definition/projection.js'
import { EventApplier, type Outcome } from '../fold/event-applier.js'
import { recordAt } from '../fold/log-reader.js'
import { UnitOfWork } from '../fold/unit-of-work.js'
import { Discards } from './discards.js'

interface ReplayContext {
  projection: Projection
  store: DocumentStore
  log: EventLog
  generation: GenerationStore
  /** For what leaves this thread no time for anything else. */
  withLongLease?: RunStep | undefined
}

/** Events folded between two turns of this thread: on SQLite nothing else would let the lease's timer run. */
const EVENTS_PER_TURN = 250
/** So many letters, or changes, are read or written in one go that a lease may run out meanwhile. */
const LONG_WORK_ITEMS = 1000

export interface ReplayResult {
  /** Aggregates whose events were folded again. */
  aggregates: number
  /** Those of them that are parked still, or again. */
  parked: number
  events: number
}

/**
 * Folds the events of parked aggregates again, in order. Each aggregate is one commit: its dead letters go, its
 * documents change, and what still cannot be folded is parked anew. No writer may be open on the generation meanwhile.
 * Does not use foldPages: these are single positions long before the checkpoint, and the checkpoint does not move.
 */
export async function replayParked(parts: ReplayContext, epoch: number, aggregates: readonly string[]): Promise<ReplayResult> {
  const discards = await Discards.load(parts.store, parts.projection.name)
  const sum: ReplayResult = { aggregates: 0, parked: 0, events: 0 }
  let checkpoint = await parts.generation.fence(epoch)
  for (const aggregate of aggregates) {
    const replay = new AggregateReplay(parts, discards, checkpoint)
    const events = await replay.fold(aggregate)
    if (events === 0) continue
    checkpoint = await replay.commit()
    await nextTurn()
    sum.aggregates += 1
    sum.parked += replay.isParked ? 1 : 0
    sum.events += events
  }
  return sum
}

/** One aggregate's way out of the dead letters. */
class AggregateReplay {
  readonly #parts: ReplayContext
  readonly #discards: Discards
  readonly #before: Checkpoint
  readonly #unit: UnitOfWork
  readonly #applier: EventApplier
  readonly #tallies: Record<string, number>
  #invalidBefore: Position

  constructor(parts: ReplayContext, discards: Discards, before: Checkpoint) {
    this.#parts = parts
    this.#discards = discards
    this.#before = before
    this.#unit = new UnitOfWork(parts.generation)
    // Of this aggregate nothing is parked any more, and no event of another one will come by.
    this.#applier = new EventApplier(parts.projection, this.#unit, new Map())
    this.#applier.checksEachEvent = true
    this.#tallies = { ...before.tallies }
    this.#invalidBefore = before.floor
  }

  get isParked(): boolean {
    return this.#applier.parkedCount > 0
  }

  async fold(aggregate: string): Promise<number> {
    const [stopped] = await this.#parts.generation.get(parkedAggregates, [aggregate])
    const waiting = await this.#takeDeadLetters(aggregate)
    for (const [i, { position, error }] of waiting.entries()) {
      if (i % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn()
      this.#count(error === null ? 'waiting' : 'parked', -1)
      await this.#foldAt(position as Position, position === stopped?.position ? (stopped.slice ?? null) : null)
    }
    return waiting.length
  }

  /** An aggregate's letters, which are gone from here on. */
  async #takeDeadLetters(aggregate: string): Promise<DeadLetterDoc[]> {
    const { generation } = this.#parts
    const taken: DeadLetterDoc[] = []
    await this.#withLongLeaseIfMany(
      await generation.count(deadLetters, { index: 'byAggregate', equals: [aggregate] }, LONG_WORK_ITEMS),
      async () => {
        // Not spread into a call, which takes only so many.
        for (const letter of await deadLettersOf(generation, aggregate)) taken.push(letter)
        await this.#unit.load([...taken.map(({ _id }) => ref(deadLetters, _id)), ref(parkedAggregates, aggregate)])
        for (const { _id } of taken) this.#unit.delete(deadLetters, _id)
        this.#unit.delete(parkedAggregates, aggregate)
        this.#unit.acceptDrafts()
      },
    )
    return taken
  }

  #withLongLeaseIfMany(many: number, work: () => Promise<void>): Promise<void> {
    const { withLongLease } = this.#parts
    return withLongLease === undefined || many < LONG_WORK_ITEMS ? work() : withLongLease(work)
  }

  /** `resume` is how far the event had come when it was parked. */
  async #foldAt(position: Position, resume: FanOutProgress | null): Promise<void> {
    const record = await recordAt(this.#parts.log, position)
    if (record === null) return
    const [event] = this.#discards.markDiscarded([{ record, decoded: decode(record) }])
    if (event === undefined) return
    // The checkpoint's own mark is for the event behind it; this one is long past, so the rest of it is one commit.
    const outcome = await this.#applier.apply(event, resume, async () => {
      await nextTurn()
    })
    this.#count(outcome, 1)
    const { decoded } = event
    // Whatever was cached up to now may show what has only just been removed.
    if (outcome === 'applied' && decoded.outcome === 'event' && REMOVAL_EVENTS.has(decoded.event.name))
      this.#invalidBefore = this.#before.position
  }

  async commit(): Promise<Checkpoint> {
    const { projection, generation } = this.#parts
    const { derived } = projection
    const writes = this.#unit.writes()
    const to: Checkpoint = { ...this.#before, tallies: withoutZeros(this.#tallies), floor: this.#invalidBefore }
    await this.#withLongLeaseIfMany(writes.length, async () => {
      const deriving = derived !== undefined && (await derived.mayChange(writes, generation))
      await generation.commit({
        from: this.#before,
        to,
        writes,
        ...(deriving ? { computeDerived: (reads) => derived.compute(reads) } : {}),
      })
    })
    return to
  }

  #count(outcome: Outcome, by: 1 | -1): void {
    this.#tallies[outcome] = (this.#tallies[outcome] ?? 0) + by
  }
}

const withoutZeros = (tallies: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(tallies).filter(([, count]) => count !== 0))
