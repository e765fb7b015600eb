import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Position } from '../events/index.js'
import { type DocumentStore, FencedError, type Generation, type GenerationStore } from '../ports/document-store.js'
import { DEAD_LETTERS } from './dead-letters.js'
import type { Projection } from './definition.js'
import { type Leadership, lead } from './leadership.js'
import { Session } from './session.js'
import type { Source } from './source.js'

/** Events read at a time while loading. */
const LOAD_BATCH = 2500
const LIVE_BATCH = 1000
/** How long the first event of a live batch may wait for company. */
const LIVE_AGE_MS = 5
const MAX_BACKOFF_MS = 5000

export interface RunnerLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export type RunnerState = 'standby' | 'loading' | 'live' | 'retrying' | 'stopped'

/** The log is not the one this generation was built from. */
export class ForeignLogError extends Error {
  override name = 'ForeignLogError'
}

/** Keeps one projection's documents up to date, for as long as it leads. */
export class ProjectionRunner {
  readonly projection: Projection
  readonly #store: DocumentStore
  readonly #source: Source
  readonly #log: RunnerLog
  readonly #holder: string
  state: RunnerState = 'standby'
  lastError: Error | null = null

  constructor(projection: Projection, store: DocumentStore, source: Source, log: RunnerLog, holder: string) {
    this.projection = { ...projection, collections: [...projection.collections, ...DEAD_LETTERS] }
    this.#store = store
    this.#source = source
    this.#log = log
    this.#holder = holder
  }

  /** Runs until the signal aborts. Errors of stores and network are retried for ever, with growing pauses. */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      let leadership: Leadership | null = null
      try {
        leadership = await lead(this.#store, this.projection.name, this.#holder, signal)
        if (leadership === null) return
        await this.#lead(leadership, leadership.over)
        failures = 0
      } catch (error) {
        this.#failed(error)
        failures += 1
        const pause = this.state === 'stopped' ? MAX_BACKOFF_MS : Math.min(MAX_BACKOFF_MS, 100 * 2 ** failures)
        await delay(pause, undefined, { signal }).catch(() => {})
      } finally {
        await leadership?.release().catch(() => {})
      }
    }
  }

  #failed(error: unknown): void {
    this.lastError = error instanceof Error ? error : new Error(String(error))
    if (error instanceof FencedError) this.state = 'standby'
    else this.state = error instanceof ForeignLogError ? 'stopped' : 'retrying'
    const report = error instanceof ForeignLogError ? 'error' : 'warn'
    this.#log[report]({ projection: this.projection.name, err: error }, `projection ${this.state}`)
  }

  async #lead(leadership: Leadership, signal: AbortSignal): Promise<void> {
    const live = await this.#liveGeneration()
    const generation = live ?? (await this.#load(leadership, signal))
    if (generation === null) return
    await this.#with(generation, async (opened) => {
      const session = await this.#open(opened, leadership, false)
      this.state = 'live'
      this.lastError = null
      while (!signal.aborted) {
        const events = await this.#source.batch(session.position, LIVE_BATCH, LIVE_AGE_MS, signal)
        if (signal.aborted) return
        if (events.length > 0) await session.advance(events)
        await nextTurn()
      }
    })
  }

  async #liveGeneration(): Promise<Generation | null> {
    const generations = await this.#store.generations(this.projection.name)
    return generations.find(({ state, version }) => state === 'live' && version === this.projection.version) ?? null
  }

  /** Fills a generation beside whatever is live, then shows it to the readers. Continues one that was left unfinished. */
  async #load(leadership: Leadership, signal: AbortSignal): Promise<Generation | null> {
    const { name, version, collections } = this.projection
    const generations = await this.#store.generations(name)
    const unfinished = generations.find((candidate) => candidate.state === 'loading' && candidate.version === version)
    const generation = unfinished ?? (await this.#store.createGeneration(name, version, collections))
    this.state = 'loading'
    this.#log.info({ projection: name, generation: generation.number }, 'loading a generation')
    return this.#with(generation, async (opened) => {
      const session = await this.#open(opened, leadership, true)
      if (!(await this.#catchUp(session, signal))) return null
      await opened.buildIndexes(leadership.patiently)
      if (!(await this.#catchUp(session, signal))) return null
      await session.derive()
      await this.#store.promote(generation)
      this.#log.info({ projection: name, generation: generation.number, position: session.checkpoint.position }, 'generation is live')
      return { ...generation, state: 'live' as const }
    })
  }

  /** Folds up to the end of the log. `false` when interrupted. */
  async #catchUp(session: Session, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const events = await this.#source.page(session.position, LOAD_BATCH)
      await session.advance(events, { defer: true })
      if (events.length < LOAD_BATCH) {
        const reached = session.position
        await session.flush()
        // Unless the commit was refused and there is something to fold again.
        if (session.position === reached) return true
      }
      // Lets the lease's timer run, and the other projections.
      await nextTurn()
    }
    return false
  }

  async #open(opened: GenerationStore, leadership: Leadership, loading: boolean): Promise<Session> {
    await this.#recogniseLog(await opened.checkpoint())
    return Session.open(this.projection, opened, leadership.lease.epoch, loading)
  }

  async #recogniseLog({ position, eventId }: { position: Position; eventId: string | null }): Promise<void> {
    if (position === 0) return
    const found = await this.#source.eventIdAt(position)
    if (found === eventId) return
    const what = found === null ? `has no event at position ${position}` : `has another event at position ${position}`
    throw new ForeignLogError(
      `The log ${what}, where ${this.projection.name} left off. Connect the log these models were built from, or delete the models to build them from this one.`,
    )
  }

  async #with<T>(generation: Generation, work: (opened: GenerationStore) => Promise<T>): Promise<T> {
    const opened = await this.#store.openGeneration(generation, this.projection.collections)
    try {
      return await work(opened)
    } finally {
      await opened.close()
    }
  }
}
