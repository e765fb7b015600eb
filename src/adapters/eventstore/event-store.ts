import { setTimeout as delay } from 'node:timers/promises'
import {
  AccessDeniedError,
  type AllStreamResolvedEvent,
  ANY,
  type AppendExpectedRevision,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  type RecordedEvent,
  START as START_OF_ALL,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { type Position, START } from '../../ports/event-log.js'
import {
  type CategoryEvent,
  categoryOf,
  type EventStore,
  type EventStoreClock,
  type ExpectedRevision,
  type NewStreamEvent,
  revisionOfRepeat,
  type StreamEvent,
  type StreamName,
  WrongRevisionError,
} from '../../ports/event-store.js'
import { Retention } from './retention.js'
import { MAX_PAUSE_MS, withRetry } from './retry.js'

/**
 * Ask jobs in EventStoreDB, now called KurrentDB; the protocol is the same. A subscription to a category filters `$all` by
 * stream name, so no system projection has to be enabled.
 */
export class EventStoreDbEventStore implements EventStore {
  readonly #client: EventStoreDBClient
  readonly #retention: Retention
  readonly #now: () => number
  readonly #closing = new AbortController()

  constructor(url: string, { now = Date.now }: EventStoreClock = {}) {
    this.#client = EventStoreDBClient.connectionString(withEsdbScheme(url))
    this.#retention = new Retention(this.#client)
    this.#now = now
  }

  async append(stream: StreamName, events: readonly NewStreamEvent[], expected: ExpectedRevision): Promise<number> {
    const category = categoryOf(stream)
    if (events.length === 0) throw new RangeError('there is nothing to append')
    // Before the first event, so that a crash cannot leave a stream that never expires.
    if (expected === 'no stream' || expected === 'any') await this.#retention.apply(category, stream)
    const proposed = events.map(({ id, type, data }) => jsonEvent({ id, type, data }))
    try {
      const options = { expectedRevision: revisionFor(expected) }
      const { nextExpectedRevision } = await withRetry(() => this.#client.appendToStream(stream, proposed, options))
      return Number(nextExpectedRevision)
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error
      return this.#repeatedRevision(stream, events, expected, error)
    }
  }

  async read(stream: StreamName, from = 0): Promise<StreamEvent[]> {
    categoryOf(stream)
    return withRetry(async () => {
      const events: StreamEvent[] = []
      try {
        for await (const { event } of this.#client.readStream(stream, { fromRevision: BigInt(from) })) {
          if (event !== undefined) events.push(streamEvent(event))
        }
      } catch (error) {
        if (!(error instanceof StreamNotFoundError)) throw error
      }
      return events
    })
  }

  async *subscribe(category: string, after: Position, signal: AbortSignal): AsyncGenerator<CategoryEvent, void, void> {
    const end = AbortSignal.any([signal, this.#closing.signal])
    let reached = after
    for (let failures = 0; !end.aborted; ) {
      const maxAgeS = await this.#retention.get(category).catch(() => null)
      const subscription = this.#client.subscribeToAll({
        fromPosition: reached === START ? START_OF_ALL : { commit: BigInt(reached), prepare: BigInt(reached) },
        filter: streamNameFilter({
          prefixes: [`${category}-`],
          checkpointInterval: 32,
          // Skips what others wrote in between when the connection was lost.
          checkpointReached: (_, { commit }) => {
            reached = Math.max(reached, Number(commit)) as Position
          },
        }),
      })
      const leave = () => subscription.destroy()
      end.addEventListener('abort', leave)
      try {
        for await (const { event } of subscription as AsyncIterable<AllStreamResolvedEvent>) {
          if (end.aborted) return
          failures = 0
          if (event === undefined) continue
          const position = Number(event.position.commit) as Position
          reached = position
          // `$all` shows expired events until the server scavenges them.
          if (maxAgeS !== null && event.created.getTime() <= this.#now() - maxAgeS * 1000) continue
          yield { ...streamEvent(event), position }
        }
      } catch (error) {
        if (end.aborted) return
        // Everything else passes, such as a lost connection; a missing permission does not.
        if (error instanceof AccessDeniedError) throw error
        failures += 1
      } finally {
        end.removeEventListener('abort', leave)
        await subscription.unsubscribe().catch(() => {})
      }
      await delay(Math.min(MAX_PAUSE_MS, 50 * 2 ** failures), undefined, { signal: end }).catch(() => {})
    }
  }

  async delete(stream: StreamName): Promise<void> {
    categoryOf(stream)
    if ((await this.read(stream)).length > 0) await withRetry(() => this.#client.deleteStream(stream))
  }

  async retain(category: string, seconds: number): Promise<void> {
    await this.#retention.set(category, seconds)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    // It cancels all calls, then waits until each is read to its end, which no longer happens.
    this.#client.dispose().catch(() => {})
  }

  /** The server itself recognises a repeated append only for a while. */
  async #repeatedRevision(
    stream: StreamName,
    events: readonly NewStreamEvent[],
    expected: ExpectedRevision,
    { actualVersion }: WrongExpectedVersionError,
  ): Promise<number> {
    const actual = typeof actualVersion === 'bigint' ? Number(actualVersion) : null
    const stored = await this.read(stream)
    const repeated = revisionOfRepeat(stream, events, expected, actual, (after, count) =>
      stored.flatMap(({ id, revision }) => (revision > after ? [id] : [])).slice(0, count),
    )
    if (repeated !== null) return repeated
    throw new WrongRevisionError(stream, expected, actual)
  }
}

/** The client package knows the older name only. */
const withEsdbScheme = (url: string): string => url.replace(/^kurrentdb(\+discover)?:/, 'esdb$1:')

function revisionFor(expected: ExpectedRevision): AppendExpectedRevision {
  if (expected === 'any') return ANY
  return expected === 'no stream' ? NO_STREAM : BigInt(expected)
}

function streamEvent({ streamId, revision, id, type, data, created }: RecordedEvent): StreamEvent {
  return {
    stream: streamId as StreamName,
    revision: Number(revision),
    id,
    type,
    recordedAt: created.getTime(),
    // Only this adapter writes streams of such names, and it writes objects.
    data: data as Record<string, unknown>,
  }
}
