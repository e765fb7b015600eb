import {
  type AllStreamResolvedEvent,
  type AppendExpectedRevision,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  type RecordedEvent,
  START as START_OF_ALL,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { type Position, START } from '../../ports/event-log.js'
import {
  type CategoryEvent,
  categoryOf,
  type EventStore,
  type EventStoreOptions,
  type ExpectedRevision,
  expiredUntil,
  type NewStreamEvent,
  type OnReached,
  revisionOfRepeat,
  type StreamEvent,
  type StreamName,
  WrongRevisionError,
} from '../../ports/event-store.js'
import { AT_LEADER, eventsOfCall, readStream, unavailable, withRetry } from './calls.js'
import { Marks } from './marks.js'

/**
 * Ask jobs in EventStoreDB, now called KurrentDB; the protocol is the same. A subscription to a category filters `$all` by
 * stream name, so no system projection has to be enabled.
 */
export class EventStoreDbEventStore implements EventStore {
  readonly #client: EventStoreDBClient
  readonly #maxAges: NonNullable<EventStoreOptions['maxAges']>
  readonly #marks: Marks
  readonly #now: () => number
  readonly #closing = new AbortController()

  constructor(url: string, { maxAges = {}, now = Date.now }: EventStoreOptions = {}) {
    this.#client = EventStoreDBClient.connectionString(withEsdbScheme(url))
    // Appends one by one. In batches they have no deadline, and share a table with all clients of the process: when one
    // breaks, all fail, and an answer that comes afterwards ends the process.
    Object.assign(this.#client, { supports: async () => false })
    this.#maxAges = maxAges
    this.#marks = new Marks(this.#client, now)
    this.#now = now
  }

  async append(stream: StreamName, events: readonly NewStreamEvent[], expected: ExpectedRevision): Promise<number> {
    const category = categoryOf(stream)
    if (events.length === 0) throw new RangeError('there is nothing to append')
    const maxAge = this.#maxAges[category]
    // Before the first event, so that a crash cannot leave a stream that never expires.
    if (maxAge !== undefined && expected === 'no stream')
      await withRetry(() => this.#client.setStreamMetadata(stream, { maxAge }, AT_LEADER))
    const proposed = events.map(({ id, type, data }) => jsonEvent({ id, type, data }))
    try {
      const expectedRevision: AppendExpectedRevision = expected === 'no stream' ? NO_STREAM : BigInt(expected)
      const { nextExpectedRevision } = await withRetry(() =>
        this.#client.appendToStream(stream, proposed, { ...AT_LEADER, expectedRevision }),
      )
      return Number(nextExpectedRevision)
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error
      return this.#repeatedRevision(stream, events, expected, error)
    }
  }

  async read(stream: StreamName, from = 0): Promise<StreamEvent[]> {
    categoryOf(stream)
    return (await readStream(this.#client, stream, { fromRevision: BigInt(from) })).map(streamEvent)
  }

  async *subscribe(category: string, after: Position, signal: AbortSignal, onReached?: OnReached): AsyncGenerator<CategoryEvent> {
    const end = AbortSignal.any([signal, this.#closing.signal])
    try {
      if (!end.aborted) yield* this.#deliver(category, after, end, onReached)
    } catch (error) {
      if (!end.aborted) throw error
    }
  }

  /** Delivers until something breaks, or the signal aborts. */
  async *#deliver(category: string, after: Position, end: AbortSignal, onReached?: OnReached): AsyncGenerator<CategoryEvent> {
    const maxAgeS = this.#maxAges[category]
    const from = after === START && maxAgeS !== undefined ? await this.#marks.expired(category, maxAgeS) : after
    const reach = (position: Position) => {
      onReached?.(position)
      // Kept by another process, or an hour later.
      this.#marks.keep(category, position).catch(() => {})
    }
    const subscription = this.#client.subscribeToAll({
      fromPosition: from === START ? START_OF_ALL : { commit: BigInt(from), prepare: BigInt(from) },
      filter: streamNameFilter({
        prefixes: [`${category}-`],
        checkpointInterval: 32,
        // Skips what others wrote. It may overtake events that wait here.
        checkpointReached: (_, { commit }) => {
          if (subscription.readableLength === 0) reach(Number(commit) as Position)
        },
      }),
    })
    const events = eventsOfCall<AllStreamResolvedEvent>(subscription, end, () => onReached?.(from))
    for await (const { event } of events) {
      if (end.aborted) return
      if (event === undefined) continue
      const position = Number(event.position.commit) as Position
      // `$all` shows expired events until the server scavenges them.
      if (event.created.getTime() > expiredUntil({ maxAges: this.#maxAges }, category, this.#now()))
        yield { ...streamEvent(event), position }
      reach(position)
    }
    throw unavailable('it ended the subscription')
  }

  async delete(stream: StreamName): Promise<void> {
    categoryOf(stream)
    if ((await this.read(stream)).length > 0) await withRetry(() => this.#client.deleteStream(stream, AT_LEADER))
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
    const repeated = revisionOfRepeat(stream, events, expected, await this.read(stream))
    if (repeated !== null) return repeated
    // The newest events have expired.
    throw new WrongRevisionError(stream, expected, typeof actualVersion === 'bigint' ? Number(actualVersion) : null)
  }
}

/** The client package knows the older name only. */
const withEsdbScheme = (url: string): string => url.replace(/^kurrentdb(\+discover)?:/, 'esdb$1:')

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
