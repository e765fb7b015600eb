import type { Position } from '../../events/index.js'
import { Backoff } from '../../lib/backoff-and-timeout.js'
import {
  type Checkpoint,
  DamagedStoreError,
  FencedError,
  type Generation,
  type GenerationStore,
  type Lease,
} from '../../ports/document-store.js'
import { Discards } from '../dead-letters/discards.js'
import { foldPages } from '../fold/fold-pages.js'
import { GenerationWriter } from '../fold/generation-writer.js'
import { assertSameLog, ForeignLogError } from '../fold/log-identity.js'
import type { Page } from '../fold/log-page.js'
import type { EngineContext } from '../generations/build-generation.js'

/** Small, because the live generation waits for each page. */
const PAGE = 500

type Context = Pick<EngineContext, 'projection' | 'store' | 'reader' | 'logger'>

interface CatchUp {
  opened: GenerationStore
  /** Pulled one page at a time, between live batches. */
  pages: ReturnType<typeof foldPages>
}

/**
 * What is removed from the live generation must go from the retired ones, too. After each removal they are caught up to
 * it, one page between two live batches. A damaged one, or one of another version, is dropped; other errors are retried
 * later. The last removal is in the live checkpoint (`floor`), so a new leader continues after a crash.
 */
export class RetiredGenerations {
  readonly #context: Context
  readonly #lease: Lease
  readonly #era: number
  /** All retired generations are at least at this position. */
  #caughtUpTo: Position = 0 as Position
  #current: CatchUp | null = null
  /** Failed ones: the others come first, then a pause. */
  readonly #failing = new Set<number>()
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

  isBehind(invalidBefore: Position): boolean {
    return this.#caughtUpTo < invalidBefore && this.#backoff.isOver
  }

  /** Folds one page. `building` is being caught up by a rollback. */
  async step(invalidBefore: Position, building: number | null): Promise<void> {
    this.#current ??= await this.#nextBehind(invalidBefore, building)
    if (this.#current !== null) await this.#advance(this.#current, invalidBefore)
    else if (this.#failing.size > 0) {
      this.#failing.clear()
      this.#backoff.failed()
    } else {
      this.#caughtUpTo = invalidBefore
      this.#backoff = new Backoff()
    }
  }

  async close(): Promise<void> {
    const current = this.#current
    this.#current = null
    await current?.pages.return(undefined)
    await current?.opened.close()
  }

  async #nextBehind(invalidBefore: Position, building: number | null): Promise<CatchUp | null> {
    const { store, projection } = this.#context
    const discards = await Discards.load(store, projection.name)
    for (const generation of await store.generations(projection.name)) {
      if (generation.state !== 'retired' || generation.number === building || this.#failing.has(generation.number)) continue
      const current = await this.#openIfBehind(generation, invalidBefore, discards).catch((error) => this.#failed(generation, error))
      if (current !== null) return current
    }
    return null
  }

  async #openIfBehind(generation: Generation, invalidBefore: Position, discards: Discards): Promise<CatchUp | null> {
    const { store, projection } = this.#context
    const own = generation.version === projection.version
    const opened = await store.openGeneration(generation, own ? projection.collections : [])
    try {
      const checkpoint = await opened.checkpoint()
      // Also one that seems to be far enough: its position is of another log.
      await this.#assertSameLog(checkpoint)
      if (checkpoint.position < invalidBefore) {
        if (!own) throw new ForeignLogError(`it is of version ${generation.version}`)
        const writer = await GenerationWriter.open(projection, opened, this.#lease.epoch, false)
        return { opened, pages: foldPages(writer, { read: this.#read, decide: discards.markDiscarded }) }
      }
    } catch (error) {
      await opened.close().catch(() => {})
      throw error
    }
    await opened.close()
    return null
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

  async #advance({ opened, pages }: CatchUp, invalidBefore: Position): Promise<void> {
    try {
      const { value } = await pages.next()
      if (value !== undefined && value.position >= invalidBefore) await this.close()
    } catch (error) {
      // A damaged one may fail to close.
      await this.close().catch(() => {})
      await this.#failed(opened.generation, error)
    }
  }

  async #failed(generation: Generation, error: unknown): Promise<null> {
    if (error instanceof FencedError) throw error
    if (error instanceof LogReadError) throw error.error
    const { projection, logger } = this.#context
    try {
      if (!(error instanceof ForeignLogError || error instanceof DamagedStoreError)) throw error
      await this.#drop(generation, error.message)
    } catch (error) {
      if (error instanceof FencedError) throw error
      this.#failing.add(generation.number)
      const details = { projection: projection.name, generation: generation.number, err: error }
      logger.warn(details, 'catching up a retired generation is tried again')
    }
    return null
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
