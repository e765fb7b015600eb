import { setImmediate as nextTurn } from 'node:timers/promises'
import { decode, type Position } from '../../events/index.js'
import type { Checkpoint, DocumentStore, GenerationStore, RunStep } from '../../ports/document-store.js'
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
    const replayed = await replayAggregate(context, discards, checkpoint, parked, aggregate)
    if (replayed === null) continue
    checkpoint = replayed.checkpoint
    context.progressed?.()
    await nextTurn()
    sum.aggregates += 1
    sum.events += replayed.events
    sum.parked += replayed.parked
  }
  return sum
}

/** `null` where the aggregate has no dead letters. */
async function replayAggregate(
  context: ReplayContext,
  discards: Discards,
  from: Checkpoint,
  parked: Map<string, ParkedDoc>,
  aggregate: string,
): Promise<{ checkpoint: Checkpoint; events: number; parked: number } | null> {
  const { projection, log, generation } = context
  const unit = new UnitOfWork(generation)
  const applier = new EventApplier(projection, unit, parked)
  applier.checksEachEvent = true
  const tallies = { ...from.tallies }
  const count = (outcome: Outcome, by: 1 | -1) => {
    tallies[outcome] = (tallies[outcome] ?? 0) + by
  }
  let { floor } = from
  const letters = await takeDeadLetters(context, unit, aggregate)
  if (letters.length === 0) return null
  for (const [i, { position, slice: resume = null }] of letters.entries()) {
    if (i % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn()
    count('parked', -1)
    const record = await recordAt(log, position as Position)
    const [event] = record === null ? [] : discards.markDiscarded([{ record, decoded: decode(record, projection.events) }])
    if (event === undefined) continue
    // Goes on where the event's fan-out was when it was parked. The checkpoint's slice is of another event, so the rest is one commit.
    const outcome = await applier.apply(event, resume, async () => {
      await nextTurn()
    })
    count(outcome, 1)
    // Anything cached until now may show what is only removed now.
    if (applier.hasRemoved || isAppliedRemoval(event.decoded, outcome)) floor = from.position
  }
  const writes = unit.writes()
  const to: Checkpoint = { ...from, tallies: withoutZeros(tallies), floor }
  await withLongLeaseIfMany(context, writes.length, () => generation.commit({ from, to, writes }))
  // All dead letters were deleted first, so those of now are among the writes.
  const left = writes.filter(({ collection, after }) => collection === deadLetters && after !== undefined).length
  return { checkpoint: to, events: letters.length, parked: left }
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
