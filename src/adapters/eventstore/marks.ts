import { type EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { type Position, START } from '../../ports/event-log.js'
import { AT_LEADER, newest, readStream, withRetry } from './calls.js'

const EVERY_MS = 3_600_000
/** Of a day and some hours. */
const KEPT = 32

/**
 * How far the subscriptions to a category were in each hour. What came before a mark is older than the mark, so a
 * subscription can begin at one that has expired: `$all` holds everything since the last scavenge, also of others.
 */
export class Marks {
  readonly #client: EventStoreDBClient
  readonly #now: () => number
  readonly #lookedAt = new Map<string, number>()

  constructor(client: EventStoreDBClient, now: () => number) {
    this.#client = client
    this.#now = now
  }

  /** The last known position before which everything has reached this age. */
  async expired(category: string, maxAgeS: number): Promise<Position> {
    const marks = await readStream(this.#client, markStream(category), newest(KEPT))
    const expired = marks.filter(({ created }) => created.getTime() <= this.#now() - maxAgeS * 1000)
    // Only `keep` writes this stream.
    return Math.max(START, ...expired.map(({ data }) => (data as Mark).position)) as Position
  }

  /** Keeps a position that a subscription has reached, once in an hour. All processes do, and the first counts. */
  async keep(category: string, position: Position): Promise<void> {
    const now = this.#now()
    if (now - (this.#lookedAt.get(category) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return
    this.#lookedAt.set(category, now)
    const stream = markStream(category)
    const [last] = await readStream(this.#client, stream, newest(1))
    if (last !== undefined && now - last.created.getTime() < EVERY_MS) return
    if (last === undefined) await withRetry(() => this.#client.setStreamMetadata(stream, { maxCount: KEPT }, AT_LEADER))
    const mark = jsonEvent({ type: 'marked', data: { position } satisfies Mark })
    const expectedRevision = last?.revision ?? NO_STREAM
    await withRetry(() => this.#client.appendToStream(stream, mark, { ...AT_LEADER, expectedRevision }))
  }
}

type Mark = { position: Position }

const markStream = (category: string): string => `vitrine_mark-${category}`
