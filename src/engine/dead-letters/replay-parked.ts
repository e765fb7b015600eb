import { setImmediate as nextTurn } from 'node:timers/promises'
import { decode, type Position } from '../../events/index.js'
import type { Checkpoint, DocumentStore, FanOutProgress, GenerationStore, RunStep } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import {
  type DeadLetterDoc,
  deadLetters,
  deadLettersOf,
  loadParked,
  type ParkedDoc,
  parkedAggregates,
} from '../definition/dead-letter-collections.js'
import { type Projection, ref } from '../definition/projection.js'
import { EventApplier, type Outcome } from '../fold/event-applier.js'
import { recordAt } from '../fold/log-reader.js'
import { isAppliedRemoval } from '../fold/pending-batch.js'
import { UnitOfWork } from '../fold/unit-of-work.js'
import { Discards } from './discards.js'

interface ReplayContext {
  projection: Projection
  store: DocumentStore
  log: EventLog
  generation: GenerationStore
  /** For work that blocks this thread for long. */
  withLongLease?: RunStep | undefined
  /** Called after each aggregate. */
  progressed?: (() => void) | undefined
}

/** Yield to the event loop this often, for the lease timer: SQLite never does. */
const EVENTS_PER_TURN = 250
/** Reading or writing more items than this may outlast a lease. */
const LONG_WORK_ITEMS = 1000

export interface ReplayResult {
  aggregates: number
  events: number
  /** Those events that still cannot be folded. */
  parked: number
}

/**
 * Folds the dead letters of some aggregates again, in the order of the log. Each aggregate is one commit: its dead letters
 * go, its documents change, and what still cannot be folded is parked again. No other writer may be open on the generation.
 * Does not use foldPages: these are single positions long before the checkpoint, and the checkpoint does not move.
 */
export async function replayParked(context: ReplayContext, epoch: number, aggregates: readonly string[]): Promise<ReplayResult> {
  const discards = await Discards.load(context.store, context.projection.name)
  const sum: ReplayResult = { aggregates: 0, events: 0, parked: 0 }
  let checkpoint = await context.generation.fence(epoch)
  const parked = await loadParked(context.generation)
  for (const aggregate of aggregates) {
    // It is being released. A removal may release others, too.
    parked.delete(aggregate)
    const replay = new AggregateReplay(context, discards, checkpoint, parked)
    const events = await replay.fold(aggregate)
    if (events === 0) continue
    checkpoint = await replay.commit()
    context.progressed?.()
    await nextTurn()
    sum.aggregates += 1
    sum.events += events
    sum.parked += replay.left()
  }
  return sum
}

/** Replays one aggregate. */
class AggregateReplay {
  readonly #context: ReplayContext
  readonly #discards: Discards
  readonly #before: Checkpoint
  readonly #unit: UnitOfWork
  readonly #applier: EventApplier
  readonly #tallies: Record<string, number>
  #invalidBefore: Position

  constructor(context: ReplayContext, discards: Discards, before: Checkpoint, parked: Map<string, ParkedDoc>) {
    this.#context = context
    this.#discards = discards
    this.#before = before
    this.#unit = new UnitOfWork(context.generation)
    this.#applier = new EventApplier(context.projection, this.#unit, parked)
    this.#applier.checksEachEvent = true
    this.#tallies = { ...before.tallies }
    this.#invalidBefore = before.floor
  }

  async fold(aggregate: string): Promise<number> {
    const taken = await this.#takeDeadLetters(aggregate)
    for (const [i, { position, slice }] of taken.entries()) {
      if (i % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn()
      this.#count('parked', -1)
      await this.#foldAt(position as Position, slice ?? null)
    }
    return taken.length
  }

  /** Reads an aggregate's dead letters and deletes them. */
  async #takeDeadLetters(aggregate: string): Promise<DeadLetterDoc[]> {
    const { generation } = this.#context
    const taken: DeadLetterDoc[] = []
    await this.#withLongLeaseIfMany(
      await generation.count(deadLetters, { index: 'byAggregate', equals: [aggregate] }, LONG_WORK_ITEMS),
      async () => {
        // Not spread into one call, which takes a limited number of arguments.
        for (const deadLetter of await deadLettersOf(generation, aggregate)) taken.push(deadLetter)
        await this.#unit.load([...taken.map(({ _id }) => ref(deadLetters, _id)), ref(parkedAggregates, aggregate)])
        for (const { _id } of taken) this.#unit.delete(deadLetters, _id)
        this.#unit.delete(parkedAggregates, aggregate)
        this.#unit.acceptDrafts()
      },
    )
    return taken
  }

  #withLongLeaseIfMany(items: number, work: () => Promise<void>): Promise<void> {
    const { withLongLease } = this.#context
    return withLongLease === undefined || items < LONG_WORK_ITEMS ? work() : withLongLease(work)
  }

  /** `resume` is how far the event's fan-out was committed when it was parked. */
  async #foldAt(position: Position, resume: FanOutProgress | null): Promise<void> {
    const record = await recordAt(this.#context.log, position)
    if (record === null) return
    const [event] = this.#discards.markDiscarded([{ record, decoded: decode(record, this.#context.projection.events) }])
    if (event === undefined) return
    // The checkpoint's slice belongs to another event, so the rest of this fan-out is one commit.
    const outcome = await this.#applier.apply(event, resume, async () => {
      await nextTurn()
    })
    this.#count(outcome, 1)
    const { decoded } = event
    // Anything cached until now may show what is only removed now.
    if (this.#applier.hasRemoved || isAppliedRemoval(decoded, outcome)) this.#invalidBefore = this.#before.position
  }

  /** How many dead letters the aggregate has afterwards. They were deleted first, so all of them are among the writes. */
  left(): number {
    return this.#unit.writes().filter(({ collection, after }) => collection === deadLetters && after !== undefined).length
  }

  async commit(): Promise<Checkpoint> {
    const writes = this.#unit.writes()
    const to: Checkpoint = { ...this.#before, tallies: withoutZeros(this.#tallies), floor: this.#invalidBefore }
    await this.#withLongLeaseIfMany(writes.length, () => this.#context.generation.commit({ from: this.#before, to, writes }))
    return to
  }

  #count(outcome: Outcome, by: 1 | -1): void {
    this.#tallies[outcome] = (this.#tallies[outcome] ?? 0) + by
  }
}

const withoutZeros = (tallies: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(tallies).filter(([, count]) => count !== 0))
