import { ANY, BACKWARDS, END, type EventStoreDBClient, jsonEvent, StreamNotFoundError, streamNameFilter } from '@eventstore/db-client'
import { withRetry } from './retry.js'

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
    const seconds = await withRetry(() => this.#read(category))
    if (seconds !== null) this.#known.set(category, seconds)
    return seconds
  }

  async set(category: string, seconds: number): Promise<void> {
    if ((await withRetry(() => this.#read(category))) !== seconds) {
      for (const stream of await this.#streams(category)) await this.#limit(stream, seconds)
      const setting = jsonEvent({ type: SETTING, data: { seconds } })
      await withRetry(() => this.#client.appendToStream(settingStream(category), setting, { expectedRevision: ANY }))
    }
    this.#known.set(category, seconds)
  }

  /** Sets the age of a new stream. */
  async apply(category: string, stream: string): Promise<void> {
    const seconds = await this.get(category)
    if (seconds !== null) await this.#limit(stream, seconds)
  }

  async #limit(stream: string, seconds: number): Promise<void> {
    await withRetry(() => this.#client.setStreamMetadata(stream, { maxAge: seconds }))
  }

  async #read(category: string): Promise<number | null> {
    try {
      const newest = this.#client.readStream<Setting>(settingStream(category), { direction: BACKWARDS, fromRevision: END, maxCount: 1 })
      for await (const { event } of newest) if (event !== undefined) return event.data.seconds
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error
    }
    return null
  }

  /** The category's streams at this moment. Reads of `$all` cannot be filtered, so this is a subscription that ends. */
  async #streams(category: string): Promise<Set<string>> {
    const streams = new Set<string>()
    const last = await withRetry(() => this.#end())
    if (last === null) return streams
    const subscription = this.#client.subscribeToAll({
      filter: streamNameFilter({
        prefixes: [`${category}-`],
        checkpointInterval: 1,
        checkpointReached: (_, { commit }) => {
          if (commit >= last) subscription.destroy()
        },
      }),
    })
    subscription.on('caughtUp', () => subscription.destroy())
    try {
      for await (const { event } of subscription) {
        if (event === undefined) continue
        streams.add(event.streamId)
        if (event.position.commit >= last) break
      }
    } catch (error) {
      if (!subscription.destroyed) throw error
    } finally {
      await subscription.unsubscribe()
    }
    return streams
  }

  async #end(): Promise<bigint | null> {
    const newest = this.#client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 })
    for await (const { event } of newest) if (event !== undefined) return event.position.commit
    return null
  }
}

type Setting = { type: typeof SETTING; data: { seconds: number } }

const settingStream = (category: string): string => `vitrine_retention-${category}`
