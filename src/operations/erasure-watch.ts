import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { coalesce } from '../lib/coalesce.js'
import type { ModelVersions } from './cache/model-versions.js'
import type { Tombstones } from './tombstones.js'

/** Something that keeps what was read from the models for longer than a request. */
export interface Keeper {
  /** The creators and creations whose words it holds. They may change while they are looked up. */
  subjects(): Iterable<string>
  /** Deletes what holds words of these. */
  purge(removed: ReadonlySet<string>): void | Promise<void>
}

const RETRY_MS = 1000

/**
 * Purges what is kept of creators and creations that were removed. It looks at the start, after every change that may be a
 * removal, and after changes it may have missed, so neither a restart nor a lost signal leaves anything.
 */
export class ErasureWatch {
  readonly #tombstones: Pick<Tombstones, 'among'>
  readonly #logger: Logger
  readonly #keepers: Keeper[] = []
  readonly #stopping = new AbortController()
  readonly #lookCoalesced = coalesce(() => this.#lookOnce())
  #stopListening: (() => void) | null = null
  #looking: Promise<void> | null = null

  constructor(tombstones: Pick<Tombstones, 'among'>, logger: Logger) {
    this.#tombstones = tombstones
    this.#logger = logger
  }

  add(keeper: Keeper): void {
    this.#keepers.push(keeper)
  }

  start(versions: Pick<ModelVersions, 'onRemoval'>): void {
    this.#stopListening = versions.onRemoval(() => this.look())
    this.look()
  }

  /** Also call it when a keeper has received something that was read a while ago. */
  look(): void {
    if (!this.#stopping.signal.aborted) this.#looking = this.#lookCoalesced()
  }

  async stop(): Promise<void> {
    this.#stopListening?.()
    this.#stopping.abort()
    await this.#looking
  }

  async #lookOnce(): Promise<void> {
    const { signal } = this.#stopping
    try {
      for (const keeper of this.#keepers) {
        if (signal.aborted) return
        const removed = await this.#tombstones.among(keeper.subjects())
        if (removed.size > 0) await keeper.purge(removed)
      }
    } catch (error) {
      if (signal.aborted) return
      this.#logger.warn({ err: error }, 'what is kept of removed creators cannot be purged now, trying again')
      await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
      this.look()
    }
  }
}
