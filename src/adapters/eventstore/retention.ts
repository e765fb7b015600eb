import {
  type AllStreamResolvedEvent,
  ANY,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  jsonEvent,
  streamNameFilter,
} from '@eventstore/db-client'
import { eventsOfCall } from './events-of-call.js'
import { newest, readStream } from './read-stream.js'
import { AT_LEADER, withRetry } from './retry.js'

const SETTING = 'retention.set'

/**
 * How long the streams of a category are kept. EventStoreDB has a maximum age per stream only (`$maxAge` in its metadata),
 * so the category's age is stored in a stream of its own and applied to every new stream.
 */
export class Retention {
  readonly #client: EventStoreDBClient
  readonly #known = new Map<string, number>()

  constructor(client: EventStoreDBClient) {
    this.#client = client
  }

  /** Seconds, or `null` for no limit. */
  async get(category: string): Promise<number | null> {
    const known = this.#known.get(category)
    if (known !== undefined) return known
    const seconds = await this.#read(category)
    if (seconds !== null) this.#known.set(category, seconds)
    return seconds
  }

  async set(category: string, seconds: number): Promise<void> {
    if ((await this.#read(category)) !== seconds) {
      for (const stream of await this.#streams(category)) await this.#limit(stream, seconds)
      const setting = jsonEvent({ type: SETTING, data: { seconds } satisfies Setting })
      await withRetry(() => this.#client.appendToStream(settingStream(category), setting, { ...AT_LEADER, expectedRevision: ANY }))
    }
    this.#known.set(category, seconds)
  }

  /** Sets the age of a new stream. */
  async apply(category: string, stream: string): Promise<void> {
    const seconds = await this.get(category)
    if (seconds !== null) await this.#limit(stream, seconds)
  }

  async #limit(stream: string, seconds: number): Promise<void> {
    await withRetry(() => this.#client.setStreamMetadata(stream, { maxAge: seconds }, AT_LEADER))
  }

  async #read(category: string): Promise<number | null> {
    const [setting] = await readStream(this.#client, settingStream(category), newest(1))
    // Only `set` writes this stream.
    return setting === undefined ? null : (setting.data as Setting).seconds
  }

  /** The category's streams at this moment. Reads of `$all` cannot be filtered, so this is a subscription that ends. */
  async #streams(category: string): Promise<Set<string>> {
    const streams = new Set<string>()
    const last = await withRetry((late) => this.#end(late))
    if (last === null) return streams
    const done = new AbortController()
    let passed = false
    // Events that came before may still wait here.
    const endWhenRead = () => {
      passed = true
      if (subscription.readableLength === 0) done.abort()
    }
    const subscription = this.#client.subscribeToAll({
      filter: streamNameFilter({
        prefixes: [`${category}-`],
        checkpointInterval: 1,
        checkpointReached: (_, { commit }) => {
          if (commit >= last) endWhenRead()
        },
      }),
    })
    subscription.on('caughtUp', endWhenRead)
    try {
      for await (const { event } of eventsOfCall<AllStreamResolvedEvent>(subscription, done.signal)) {
        if (event !== undefined) streams.add(event.streamId)
        const isLast = passed && subscription.readableLength === 0
        if (isLast || (event?.position.commit ?? 0n) >= last) break
      }
    } catch (error) {
      if (!done.signal.aborted) throw error
    }
    return streams
  }

  async #end(late: AbortSignal): Promise<bigint | null> {
    const last = this.#client.readAll({ ...AT_LEADER, direction: BACKWARDS, fromPosition: END, maxCount: 1 })
    for await (const { event } of eventsOfCall(last, late)) if (event !== undefined) return event.position.commit
    return null
  }
}

type Setting = { seconds: number }

const settingStream = (category: string): string => `vitrine_retention-${category}`
