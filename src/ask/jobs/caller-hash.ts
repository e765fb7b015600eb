import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type EventStore, type StreamName, WrongRevisionError } from '../../ports/event-store.js'

const KEY_STREAM: StreamName = 'askcaller-key'
const KeyData = z.object({ key: z.string() })

/**
 * Names callers by a keyed hash: stored jobs must not hold addresses, and there are too few addresses for a plain hash to
 * hide them. The key is in the event store, so that all processes name a caller alike.
 */
export class CallerHash {
  readonly #store: Pick<EventStore, 'append' | 'read'>
  #key: Promise<string> | null = null

  constructor(store: Pick<EventStore, 'append' | 'read'>) {
    this.#store = store
  }

  async of(caller: string): Promise<string> {
    this.#key ??= this.#loadKey().catch((error) => {
      this.#key = null
      throw error
    })
    return createHmac('sha256', await this.#key)
      .update(caller)
      .digest('base64url')
      .slice(0, 22)
  }

  async #loadKey(): Promise<string> {
    const stored = await this.#readKey()
    if (stored !== undefined) return stored
    const key = randomBytes(32).toString('base64url')
    try {
      await this.#store.append(KEY_STREAM, [{ id: randomUUID(), type: 'created', data: { key } }], 'no stream')
      return key
    } catch (error) {
      // Another process was first.
      const first = error instanceof WrongRevisionError ? await this.#readKey() : undefined
      if (first === undefined) throw error
      return first
    }
  }

  async #readKey(): Promise<string | undefined> {
    const [first] = await this.#store.read(KEY_STREAM)
    return KeyData.safeParse(first?.data).data?.key
  }
}
