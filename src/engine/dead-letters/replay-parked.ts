import { setImmediate as nextTurn } from 'node:timers/promises'
import { decode, type Position } from '../../events/index.js'
import { type Checkpoint, CommitTooLargeError, type DocumentStore, type GenerationStore, type RunStep } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import {
  type DeadLetterDoc,
  deadLetters,
  deadLettersOf,
  loadParked,
  type Parked,
  parkedAggregates,
} from '../definition/dead-letter-collections.js'
import { type Projection, ref } from '../definition/projection.js'
import { EventApplier, type Outcome } from '../fold/event-applier.js'
import { recordAt } from '../fold/log-page.js'
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
  /** Called after each commit. */
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

/** A commit holds about so many changes, of whole aggregates. */
const CHANGES_PER_COMMIT = 1000

/**
 * Folds the dead letters of some aggregates again, in the order of the log. Many aggregates to a commit: their dead letters go, their
 * documents change, and what still cannot be folded is parked again. No other writer may be open on the generation.
 * Does not use foldPages: these are single positions long before the checkpoint, and the checkpoint does not move.
 */
export async function replayParked(context: ReplayContext, epoch: number, aggregates: readonly string[]): Promise<ReplayResult> {
  const discards = await Discards.load(context.store, context.projection.name)
  const sum: ReplayResult = { aggregates: 0, events: 0, parked: 0 }
  let checkpoint = await context.generation.fence(epoch)
  let parked = await loadParked(context.generation)
  let changes = CHANGES_PER_COMMIT
  for (let waiting = aggregates; waiting.length > 0; ) {
    const batch = new ReplayBatch(context, discards, checkpoint, parked)
    let taken = 0
    while (taken < waiting.length && batch.changeCount < changes) await batch.replay(waiting[taken++] ?? '')
    try {
      checkpoint = await batch.commit()
    } catch (error) {
      // One aggregate has to fit into a commit.
      if (!(error instanceof CommitTooLargeError) || batch.done.aggregates <= 1) throw error
      changes = Math.max(1, Math.floor(changes / 4))
      parked = await loadParked(context.generation)
      continue
    }
    context.progressed?.()
    await nextTurn()
    waiting = waiting.slice(taken)
    sum.aggregates += batch.done.aggregates
    sum.events += batch.done.events
    sum.parked += batch.done.parked
  }
  return sum
}

/** Some aggregates whose dead letters are folded again in one commit. */
class ReplayBatch {
  readonly done: ReplayResult = { aggregates: 0, events: 0, parked: 0 }
  readonly #context: ReplayContext
  readonly #discards: Discards
  readonly #from: Checkpoint
  readonly #parked: Parked
  readonly #unit: UnitOfWork
  readonly #applier: EventApplier
  readonly #tallies: Record<string, number>
  #floor: Checkpoint['floor']

  constructor(context: ReplayContext, discards: Discards, from: Checkpoint, parked: Parked) {
    this.#context = context
    this.#discards = discards
    this.#from = from
    this.#parked = parked
    this.#unit = new UnitOfWork(context.generation)
    this.#applier = new EventApplier(context.projection, this.#unit, parked)
    this.#applier.checksEachEvent = true
    this.#tallies = { ...from.tallies }
    this.#floor = from.floor
  }

  get changeCount(): number {
    return this.#unit.changeCount
  }

  async replay(aggregate: string): Promise<void> {
    const { projection, log } = this.#context
    const letters = await takeDeadLetters(this.#context, this.#unit, aggregate)
    if (letters.length === 0) return
    // It is released. A removal may release others, too.
    this.#parked.count -= 1
    this.#parked.publishers.delete(aggregate)
    this.done.aggregates += 1
    this.done.events += letters.length
    for (const [i, { position, slice: resume = null }] of letters.entries()) {
      if (i % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn()
      this.#count('parked', -1)
      const record = await recordAt(log, position as Position)
      const [event] = record === null ? [] : this.#discards.markDiscarded([{ record, decoded: decode(record, projection.events) }])
      if (event === undefined) continue
      // Goes on where the event's fan-out was when it was parked. The checkpoint's slice is of another event, so the rest is one commit.
      const outcome = await this.#applier.apply(event, resume, async () => {
        await nextTurn()
      })
      this.#count(outcome, 1)
      // Anything cached until now may show what is only removed now.
      if (this.#applier.hasRemoved || isAppliedRemoval(event.decoded, outcome)) this.#floor = this.#from.position
    }
  }

  async commit(): Promise<Checkpoint> {
    const writes = this.#unit.writes()
    const to: Checkpoint = { ...this.#from, tallies: withoutZeros(this.#tallies), floor: this.#floor }
    if (this.done.aggregates === 0) return this.#from
    // All dead letters were deleted first, so those of now are among the writes.
    this.done.parked = writes.filter(({ collection, after }) => collection === deadLetters && after !== undefined).length
    await withLongLeaseIfMany(this.#context, writes.length, () => this.#context.generation.commit({ from: this.#from, to, writes }))
    return to
  }

  #count(outcome: Outcome, by: 1 | -1): void {
    this.#tallies[outcome] = (this.#tallies[outcome] ?? 0) + by
  }
}

/** Reads an aggregate's dead letters and deletes them. */
async function takeDeadLetters(context: ReplayContext, unit: UnitOfWork, aggregate: string): Promise<DeadLetterDoc[]> {
  const { generation } = context
  const taken: DeadLetterDoc[] = []
  await withLongLeaseIfMany(
    context,
    await generation.count(deadLetters, { index: 'byAggregate', equals: [aggregate] }, LONG_WORK_ITEMS),
    async () => {
      // Not spread into one call, which takes a limited number of arguments.
      for (const deadLetter of await deadLettersOf(generation, aggregate)) taken.push(deadLetter)
      await unit.load([...taken.map(({ _id }) => ref(deadLetters, _id)), ref(parkedAggregates, aggregate)])
      for (const { _id } of taken) unit.delete(deadLetters, _id)
      unit.delete(parkedAggregates, aggregate)
      unit.acceptDrafts()
    },
  )
  return taken
}

const withLongLeaseIfMany = ({ withLongLease }: ReplayContext, items: number, work: () => Promise<void>): Promise<void> =>
  withLongLease === undefined || items < LONG_WORK_ITEMS ? work() : withLongLease(work)

const withoutZeros = (tallies: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(tallies).filter(([, count]) => count !== 0))
