import type { Position } from '../../events/index.js'
import { Backoff } from '../../lib/backoff-and-timeout.js'
import { type Checkpoint, DamagedStoreError, FencedError, type Generation, type Lease } from '../../ports/document-store.js'
import { Discards } from '../dead-letters/discards.js'
import { foldPages } from '../fold/fold-pages.js'
import { GenerationWriter } from '../fold/generation-writer.js'
import { assertSameLog, ForeignLogError } from '../fold/log-identity.js'
import type { Page } from '../fold/log-page.js'
import type { EngineContext } from '../generations/build-generation.js'

/** Small, because in one thread the live generation waits for each page. */
const PAGE = 500

type Context = Pick<EngineContext, 'projection' | 'store' | 'reader' | 'logger'>

/**
 * What is removed from the live generation must go from the retired ones, too. After each removal they are caught up to it,
 * beside the live one. A damaged one, or one of another version, is dropped; other errors are retried later. The last removal
 * is in the live checkpoint (`floor`), so a new leader continues after a crash.
 */
export class RetiredGenerations {
  readonly #context: Context
  readonly #lease: Lease
  readonly #era: number
  /** All retired generations are at least at this position. */
  #caughtUpTo: Position = 0 as Position
  #running: Promise<void> | null = null
  #isStopping = false
  #error: unknown = null
  #backoff = new Backoff()

  constructor(context: Context, lease: Lease) {
    this.#context = context
    this.#lease = lease
    this.#era = context.reader.era
  }

  /** Check all of them again: one that was being built may be retired again. */
  recheckAll(): void {
    this.#caughtUpTo = 0 as Position
  }

  /** Begins, if any may be behind. `building` is being caught up by a rollback. Throws what concerns the live one, too. */
  catchUp(floor: Position, building: number | null): void {
    const error = this.#error
    this.#error = null
    if (error !== null) throw error
    if (this.#running !== null || this.#caughtUpTo >= floor || !this.#backoff.isOver) return
    this.#isStopping = false
    this.#running = this.#catchUpAll(floor, building)
      .catch((error: unknown) => {
        this.#error = error
      })
      .finally(() => {
        this.#running = null
      })
  }

  /** Ends it after the page that is being folded. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#running
  }

  async #catchUpAll(floor: Position, building: number | null): Promise<void> {
    const { store, projection } = this.#context
    const discards = await Discards.load(store, projection.name)
    let isWhole = true
    for (const generation of await store.generations(projection.name)) {
      if (generation.state !== 'retired' || generation.number === building) continue
      const isCaughtUp = await this.#catchUpOne(generation, floor, discards).catch((error) => this.#failed(generation, error))
      if (this.#isStopping) return
      isWhole &&= isCaughtUp
    }
    if (isWhole) {
      this.#caughtUpTo = floor
      this.#backoff = new Backoff()
    } else this.#backoff.failed()
  }

  async #catchUpOne(generation: Generation, floor: Position, discards: Discards): Promise<boolean> {
    const { store, projection } = this.#context
    const own = generation.version === projection.version
    const opened = await store.openGeneration(generation, own ? projection.collections : [])
    try {
      const checkpoint = await opened.checkpoint()
      // Also one that seems to be far enough: its position is of another log.
      await this.#assertSameLog(checkpoint)
      if (checkpoint.position >= floor) return true
      if (!own) throw new ForeignLogError(`it is of version ${generation.version}`)
      const writer = await GenerationWriter.open(projection, opened, this.#lease.epoch, false)
      for await (const { position, read } of foldPages(writer, { read: this.#read, decide: discards.markDiscarded })) {
        if (position >= floor) return true
        if (read === 0 || this.#isStopping) return false
      }
      return false
    } finally {
      // A damaged one may fail to close.
      await opened.close().catch(() => {})
    }
  }

  async #assertSameLog(checkpoint: Checkpoint): Promise<void> {
    try {
      await assertSameLog(this.#context.reader, this.#context.projection.name, checkpoint)
    } catch (error) {
      throw error instanceof ForeignLogError ? error : new LogReadError(error)
    }
  }

  readonly #read = (after: Position): Promise<Page> =>
    this.#context.reader.readPage(after, PAGE, this.#era).catch((error) => {
      throw new LogReadError(error)
    })

  /** Whether it needs no further try. */
  async #failed(generation: Generation, error: unknown): Promise<boolean> {
    if (error instanceof FencedError) throw error
    if (error instanceof LogReadError) throw error.error
    const { projection, logger } = this.#context
    try {
      if (!(error instanceof ForeignLogError || error instanceof DamagedStoreError)) throw error
      await this.#drop(generation, error.message)
      return true
    } catch (error) {
      if (error instanceof FencedError) throw error
      const details = { projection: projection.name, generation: generation.number, err: error }
      logger.warn(details, 'catching up a retired generation is tried again')
      return false
    }
  }

  async #drop(generation: Generation, reason: string): Promise<void> {
    const { store, projection, logger } = this.#context
    await store.dropGeneration(generation, this.#lease)
    const details = { projection: projection.name, generation: generation.number, reason }
    logger.warn(details, 'a retired generation was dropped: what has been removed cannot be removed from it')
  }
}

/** An error of the log concerns the live generation as well, so the runner handles it. A damaged log must not drop anything. */
class LogReadError extends Error {
  constructor(readonly error: unknown) {
    super(String(error))
  }
}
