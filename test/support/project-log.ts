import { Discards } from '../../src/engine/dead-letters/discards.js'
import { withDeadLetters } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import { GenerationWriter } from '../../src/engine/fold/generation-writer.js'
import { LogReader } from '../../src/engine/fold/log-reader.js'
import { builtInEvents, type Position } from '../../src/events/index.js'
import type { Commit, DocumentStore, Generation, GenerationStore, Reads } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { type Dump, dumpOf } from './dump.js'
import { MemoryEventLog } from './memory-log.js'
import { memoryStore } from './memory-store.js'
import { replacing } from './replacing.js'

/** How a process can crash at a commit: before it, or after it but before the answer. */
export type Crash = 'before' | 'after' | null

export interface Run {
  /** Sizes of the batches, used in turn; by default the whole log is one batch. */
  cut?: readonly number[]
  /** How many batches to fold as a loading generation, before its indexes are built and it goes live. All by default. */
  loading?: number
  /** What happens at the first commit, the second and so on; none once the list is used up. */
  crashes?: readonly Crash[]
  store?: DocumentStore
}

/** Folds a log with the real engine, as the runner does, and returns all documents at the end. */
export async function project(projection: Projection, records: readonly LogRecord[], run: Run = {}): Promise<Dump> {
  const folding = await Folding.begin(projection, run)
  await folding.through(records)
  return folding.dump()
}

class Crashed extends Error {}

/** Folds a log with one projection. Like a process that is started again and again, it knows only what the store knows. */
export class Folding {
  readonly #projection: Projection
  readonly #store: DocumentStore
  readonly #generation: Generation
  readonly #cut: readonly number[]
  readonly #crashes: Crash[]
  #toLoad: number
  #batches = 0
  #epoch = 0
  #opened: GenerationStore | null = null
  #session: GenerationWriter | null = null
  /** How many commits were parts of a fan-out. */
  partialCommits = 0

  static async begin(projection: Projection, run: Run = {}): Promise<Folding> {
    const store = run.store ?? memoryStore()
    const whole = withDeadLetters(projection)
    return new Folding(whole, store, await store.createGeneration(whole.name, whole.version, whole.collections), run)
  }

  private constructor(projection: Projection, store: DocumentStore, generation: Generation, run: Run) {
    this.#projection = projection
    this.#store = store
    this.#generation = generation
    this.#cut = run.cut ?? [Number.MAX_SAFE_INTEGER]
    this.#crashes = [...(run.crashes ?? [])]
    this.#toLoad = run.loading ?? Number.POSITIVE_INFINITY
  }

  /** Folds to the end of this log and goes live. May be called again with a longer log. */
  async through(records: readonly LogRecord[]): Promise<void> {
    const reader = new LogReader(new MemoryEventLog(records), builtInEvents)
    while (!(await this.#survives(() => this.#goThrough(reader)))) this.#abandon()
  }

  async dump(): Promise<Dump> {
    return dumpOf(this.#projection.collections, await this.reads())
  }

  /** As the projector itself reads. */
  reads(): Promise<Reads> {
    return this.#open()
  }

  /** A new process takes over, between two commits. */
  restart(): void {
    this.#abandon()
  }

  async close(): Promise<void> {
    await this.#opened?.close()
  }

  async #goThrough(reader: LogReader): Promise<void> {
    const discards = await Discards.load(this.#store, this.#projection.name)
    for (;;) {
      if (this.#batches >= this.#toLoad) await this.#goLive()
      const writer = await this.#resume()
      const { events } = await reader.readPage(writer.position, this.#nextSize())
      if (events.length > 0) {
        // Only loading may defer commits; here every other batch does.
        await writer.advance(discards.markDiscarded(events), { defer: !this.#isLive && this.#batches % 2 === 0 })
        this.#batches += 1
      } else if (writer.position > writer.checkpoint.position) await writer.flush()
      else break
    }
    await this.#goLive()
  }

  async #goLive(): Promise<void> {
    if (this.#isLive) return
    const writer = await this.#resume()
    await writer.flush()
    await (await this.#open()).buildIndexes()
    await this.#store.promote(this.#generation)
    this.#toLoad = Number.NEGATIVE_INFINITY
    // The runner also opens a new writer when it goes live.
    this.#abandon()
  }

  get #isLive(): boolean {
    return this.#toLoad === Number.NEGATIVE_INFINITY
  }

  async #resume(): Promise<GenerationWriter> {
    if (this.#session === null) {
      this.#epoch += 1
      this.#session = await GenerationWriter.open(this.#projection, this.#fragile(await this.#open()), this.#epoch, !this.#isLive)
    }
    return this.#session
  }

  async #open(): Promise<GenerationStore> {
    this.#opened ??= await this.#store.openGeneration(this.#generation, this.#projection.collections)
    return this.#opened
  }

  /** The same generation, but the process dies at commits as planned. */
  #fragile(target: GenerationStore): GenerationStore {
    const commit = async (changes: Commit): Promise<void> => {
      const crash = this.#crashes.shift() ?? null
      if (crash === 'before') throw new Crashed()
      await target.commit(changes)
      if (changes.to.slice !== null) this.partialCommits += 1
      if (crash === 'after') throw new Crashed()
    }
    return replacing(target, { commit })
  }

  #nextSize(): number {
    return this.#cut[this.#batches % this.#cut.length] ?? 1
  }

  #abandon(): void {
    this.#session = null
  }

  async #survives(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (error instanceof Crashed) return false
      throw error
    }
  }
}

export const lastPosition = (records: readonly LogRecord[]): Position => records.at(-1)?.position ?? (0 as Position)
