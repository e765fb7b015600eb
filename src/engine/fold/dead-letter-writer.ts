import type { FanOutProgress } from '../../ports/document-store.js'
import type { LogRecord } from '../../ports/event-log.js'
import {
  type DeadLetterDoc,
  deadLetterRef,
  deadLetters,
  type Parked,
  type ParkedDoc,
  PoisonError,
  parkedAggregates,
} from '../definition/dead-letter-collections.js'
import { type Projection, ref, type StateCollection } from '../definition/projection.js'
import type { UnitOfWork } from './unit-of-work.js'

/** Sets events aside, and releases them. No event changes what is removed, so it has none, whether the poison or the removal came first. */
export class DeadLetterWriter {
  readonly #unit: UnitOfWork
  readonly #parked: Parked
  readonly #states: readonly [kind: string, state: StateCollection][]

  constructor({ state }: Projection, unitOfWork: UnitOfWork, parked: Parked) {
    this.#unit = unitOfWork
    this.#parked = parked
    this.#states = Object.entries(state)
  }

  get parkedCount(): number {
    return this.#parked.count
  }

  /** Whether {@link removedNow} has to look. */
  get mayBeRemovedNow(): boolean {
    return this.#parked.count > 0 && this.#unit.hasNewTombstones
  }

  /** The aggregates with dead letters that the event being folded removes, itself or with their creator. */
  async removedNow(): Promise<string[]> {
    if (!this.mayBeRemovedNow) return []
    const removed = this.#unit.newTombstones().map(({ collection, id }) => {
      const [kind] = this.#states.find(([, state]) => state.collection === collection) ?? []
      return `${kind}/${id}`
    })
    await this.#unit.load(removed.map((aggregate) => ref(parkedAggregates, aggregate)))
    return removed.filter((aggregate) => this.#unit.get(parkedAggregates, aggregate) !== undefined)
  }

  /** The aggregates that this person has published, by events that could not be folded. */
  publishedBy(creatorId: string): string[] {
    return [...this.#parked.publishers].filter(([, publishers]) => publishers.includes(creatorId)).map(([aggregate]) => aggregate)
  }

  /** For an event that could not be folded. `reached` is how far its fan-out was committed. */
  async park(
    record: LogRecord,
    cause: Error,
    publisher: string | null,
    reached: FanOutProgress | null = null,
  ): Promise<'parked' | 'removed'> {
    if (reached === null && (await this.isRemoved(record.subject))) return 'removed'
    const stack = cause instanceof PoisonError ? null : (cause.stack ?? null)
    const error = { message: excerpt(cause.message), stack: stack && excerpt(stack) }
    await this.#write({ ...toDeadLetter(record, error), ...(reached === null ? {} : { slice: reached }) }, publisher)
    return 'parked'
  }

  /** Deletes an aggregate's dead letters. The caller accepts the drafts, and then calls {@link released}. */
  async release(aggregate: string): Promise<void> {
    const ids = await this.#unit.matching(deadLetters, { index: 'byAggregate', equals: [aggregate] }, null, Number.MAX_SAFE_INTEGER)
    await this.#unit.load([...ids.map((id) => ref(deadLetters, id)), ref(parkedAggregates, aggregate)])
    for (const id of ids) this.#unit.delete(deadLetters, id)
    this.#unit.delete(parkedAggregates, aggregate)
  }

  released(aggregate: string): void {
    this.#parked.count -= 1
    this.#parked.publishers.delete(aggregate)
  }

  async isRemoved(aggregate: string): Promise<boolean> {
    const [, state] = this.#states.find(([kind]) => aggregate.startsWith(`${kind}/`)) ?? []
    if (state === undefined) return false
    const id = aggregate.slice(aggregate.indexOf('/') + 1)
    await this.#unit.load([ref(state.collection, id)])
    return this.#unit.get(state.collection, id)?.removed === true
  }

  async #write(letter: DeadLetterDoc, publisher: string | null): Promise<void> {
    const { aggregate, position } = letter
    // A write needs the stored document that it replaces.
    await this.#unit.load([ref(parkedAggregates, aggregate), deadLetterRef(letter)])
    const stored = this.#unit.get(parkedAggregates, aggregate)
    const before: ParkedDoc = stored ?? { _id: aggregate, position }
    const publishers = publisher === null ? before.publishers : [...new Set([...(before.publishers ?? []), publisher])].sort()
    const parked = { _id: aggregate, position: Math.min(before.position, position), ...(publishers === undefined ? {} : { publishers }) }
    this.#unit.put(deadLetters, letter)
    this.#unit.put(parkedAggregates, parked)
    this.#unit.acceptDrafts()
    if (stored === undefined) this.#parked.count += 1
    if (publishers !== undefined) this.#parked.publishers.set(aggregate, publishers)
  }
}

function toDeadLetter(record: LogRecord, error: DeadLetterDoc['error']): DeadLetterDoc {
  return {
    _id: deadLetterRef(record).id,
    aggregate: record.subject,
    position: record.position,
    eventId: excerpt(record.id),
    appendedAt: record.appendedAt,
    error,
  }
}

/** A dead letter must always be valid: an invalid one would stop the projection. */
const excerpt = (text: string): string => text.slice(0, 2000).toWellFormed()
