import { nanos } from 'nats'
import { errorMessage } from '../../lib/message-text.js'
import type { Position } from '../../ports/event-log.js'
import {
  type CategoryEvent,
  categoryOf,
  type EventStore,
  type EventStoreOptions,
  type ExpectedRevision,
  expiredUntil,
  type NewStreamEvent,
  NO_REVISION,
  type OnReached,
  revisionOfRepeat,
  type StreamEvent,
  type StreamName,
} from '../../ports/event-store.js'
import { type Connected, NatsConnector, type NatsOptions, NatsUnavailableError } from './connection.js'
import type { StreamMessage } from './message.js'
import { PullConsumer } from './pull-consumer.js'
import {
  apiErrorCode,
  ensureReplicated,
  getMessage,
  isWrongLastSequence,
  LASTING,
  type Replication,
  type StreamSettings,
  streamInfo,
} from './stream.js'

export interface JetStreamEventStoreOptions extends NatsOptions, Replication, Pick<EventStoreOptions, 'maxAges'> {
  /** The first part of the names of its streams, one for each category, and of their subjects. */
  name?: string
}

const DEFAULT_NAME = 'VITRINE'

/** The events of one append share a message, because JetStream stores single messages atomically. */
interface Append {
  sequence: number
  recordedAt: number
  /** The revision of the first event. */
  revision: number
  events: NewStreamEvent[]
}

/** Positions leave room for this many events per append. */
const EVENTS_PER_APPEND = 4096
/** Repeats are recognised by the streams themselves, so JetStream's own check may be short, as a short retention demands. */
const DUPLICATE_WINDOW_MS = 100
const ATTEMPTS = 5
/** The log may get more replicas while this process runs. */
const ENSURED_MS = 3_600_000

/** Its maximum age is the retention of the category. */
export const categorySettings = (category: string, name = DEFAULT_NAME): StreamSettings => ({
  ...LASTING,
  name: `${name}_${category}`,
  subjects: [`${name}.${category}.*`],
  duplicate_window: nanos(DUPLICATE_WINDOW_MS),
})

/** Ask jobs of a cluster without EventStoreDB: a JetStream stream for each category, a subject for each of its streams. */
export class JetStreamEventStore implements EventStore {
  readonly #connector: NatsConnector
  readonly #name: string
  readonly #replication: Replication
  readonly #maxAges: NonNullable<EventStoreOptions['maxAges']>
  /** When each category's stream was last found, or made, as it should be. */
  readonly #ensured = new Map<string, number>()
  readonly #closing = new AbortController()

  constructor({ name = DEFAULT_NAME, maxAges = {}, ...options }: JetStreamEventStoreOptions) {
    this.#connector = new NatsConnector(options)
    this.#name = name
    this.#replication = options
    this.#maxAges = maxAges
  }

  async append(stream: StreamName, events: readonly NewStreamEvent[], expected: ExpectedRevision): Promise<number> {
    const category = categoryOf(stream)
    if (events.length === 0) throw new RangeError('there is nothing to append')
    if (events.length > EVENTS_PER_APPEND) throw new RangeError(`no more than ${EVENTS_PER_APPEND} events fit into one append`)
    for (let failures = 0; ; ) {
      const connected = await this.#connected(category)
      const appends = await this.#appends(connected, stream)
      const stored = appends.flatMap((append) => eventsOf(stream, append))
      const repeated = revisionOfRepeat(stream, events, expected, stored)
      if (repeated !== null) return repeated
      const revision = (stored.at(-1)?.revision ?? NO_REVISION) + 1
      try {
        await connected.jetstream.publish(this.#subject(stream), JSON.stringify({ revision, events }), {
          expect: { lastSubjectSequence: appends.at(-1)?.sequence ?? 0 },
        })
        return revision + events.length - 1
      } catch (error) {
        // Another writer was faster, or the answer was lost: reading the stream again will tell.
        if (isWrongLastSequence(error)) continue
        failures += 1
        if (apiErrorCode(error) !== undefined || failures === ATTEMPTS) throw unavailable(stream, error)
      }
    }
  }

  async read(stream: StreamName, from = 0): Promise<StreamEvent[]> {
    const category = categoryOf(stream)
    const connected = await this.#connected(category)
    const appends = await this.#appends(connected, stream)
    const cutoff = this.#cutoff(category)
    return appends
      .filter(({ recordedAt }) => recordedAt > cutoff)
      .flatMap((append) => eventsOf(stream, append))
      .filter(({ revision }) => revision >= from)
      .map(({ position: _, ...event }) => event)
  }

  async *subscribe(category: string, after: Position, signal: AbortSignal, onReached?: OnReached): AsyncGenerator<CategoryEvent> {
    const end = AbortSignal.any([signal, this.#closing.signal])
    try {
      if (!end.aborted) yield* this.#deliver(category, after, end, onReached)
    } catch (error) {
      if (!end.aborted) throw error
    }
  }

  async delete(stream: StreamName): Promise<void> {
    const category = categoryOf(stream)
    const connected = await this.#connected(category)
    for (const { sequence } of await this.#appends(connected, stream)) {
      // Overwrites the bytes; a purge by subject would leave them in the file.
      await connected.streams.deleteMessage(this.#stream(category), sequence, true).catch(async (error) => {
        // Another process may have deleted it first.
        if ((await getMessage(connected, this.#stream(category), { seq: sequence })) !== null) throw unavailable(stream, error)
      })
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#connector.close()
  }

  async #connected(category: string): Promise<Connected> {
    const connected = await this.#connector.connected()
    if (performance.now() - (this.#ensured.get(category) ?? Number.NEGATIVE_INFINITY) < ENSURED_MS) return connected
    const settings = { ...categorySettings(category, this.#name), max_age: nanos((this.#maxAges[category] ?? 0) * 1000) }
    try {
      if (!(await ensureReplicated(connected, settings, this.#replication))) return connected
      // One that an earlier release made may have another.
      const { max_age } = settings
      if ((await streamInfo(connected, settings.name))?.config.max_age !== max_age)
        await connected.streams.update(settings.name, { max_age })
    } catch (error) {
      throw unavailable(settings.name, error)
    }
    this.#ensured.set(category, performance.now())
    return connected
  }

  /** Delivers until something breaks, or the signal aborts. */
  async *#deliver(category: string, after: Position, end: AbortSignal, onReached?: OnReached): AsyncGenerator<CategoryEvent> {
    const connected = await this.#connected(category)
    const from = Math.floor(after / EVENTS_PER_APPEND)
    const delivery = await PullConsumer.start(connected, { stream: this.#stream(category), from }).catch((error) => {
      throw unavailable(category, error)
    })
    let reached = after
    try {
      while (!end.aborted) {
        const messages = delivery.take()
        const cutoff = this.#cutoff(category)
        for (const message of messages) {
          if (message.storedAt <= cutoff) continue
          const name: StreamName = `${category}-${message.subject.split('.').at(-1)}`
          for (const event of eventsOf(name, parseAppend(message))) {
            if (end.aborted) return
            if (event.position <= reached) continue
            reached = event.position
            yield event
          }
        }
        onReached?.(reached)
        await delivery.untilArrival(end)
      }
    } finally {
      delivery.stop()
    }
  }

  /** One request per message: the streams are short, and the leader knows every acknowledged message. */
  async #appends(connected: Connected, stream: StreamName): Promise<Append[]> {
    const name = this.#stream(categoryOf(stream))
    const appends: Append[] = []
    for (let from = 1; ; ) {
      const message = await getMessage(connected, name, { seq: from, next_by_subj: this.#subject(stream) })
      if (message === null) return appends
      appends.push(parseAppend(message))
      from = message.sequence + 1
    }
  }

  /** JetStream removes what has expired a little later. */
  #cutoff(category: string): number {
    return expiredUntil({ maxAges: this.#maxAges }, category, Date.now())
  }

  #stream(category: string): string {
    return `${this.#name}_${category}`
  }

  #subject(stream: StreamName): string {
    const category = categoryOf(stream)
    return `${this.#name}.${category}.${stream.slice(category.length + 1)}`
  }
}

function parseAppend({ sequence, storedAt, data }: StreamMessage): Append {
  // Only `append` above writes these streams.
  const { revision, events } = JSON.parse(Buffer.from(data).toString()) as Pick<Append, 'revision' | 'events'>
  return { sequence, recordedAt: storedAt, revision, events }
}

function eventsOf(stream: StreamName, { sequence, recordedAt, revision, events }: Append): CategoryEvent[] {
  return events.map(({ id, type, data }, i) => ({
    stream,
    revision: revision + i,
    id,
    type,
    recordedAt,
    data,
    position: (sequence * EVENTS_PER_APPEND + i) as Position,
  }))
}

const unavailable = (what: string, error: unknown): NatsUnavailableError =>
  new NatsUnavailableError(`${what} cannot be used in NATS now: ${errorMessage(error)}`, { cause: error })
