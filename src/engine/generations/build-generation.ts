import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Position } from '../../events/index.js'
import type { DocumentStore, Generation, GenerationStore, RunStep } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Discards } from '../dead-letters/discards.js'
import { replayParked } from '../dead-letters/replay-parked.js'
import { listParkedAggregates } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { foldPages } from '../fold/fold-pages.js'
import { GenerationWriter } from '../fold/generation-writer.js'
import { assertSameLog } from '../fold/log-identity.js'
import { LogReader } from '../fold/log-reader.js'
import { withGeneration } from '../fold/open-generation.js'
import type { CommittedBatch, EngineLogger } from '../fold/telemetry.js'
import { assertTombstonesKept } from './kept-removals.js'
import { findNewPoison } from './switch-over.js'

/** Stored in requests. */
export const ROLLOUT_PHASES = ['waiting', 'loading', 'indexing', 'catching up', 'flipping', 'ending'] as const
type RolloutPhase = (typeof ROLLOUT_PHASES)[number]

/** A generation to fill, or to catch up. Plain data, because it is sent to another process. */
export interface BuildJob {
  projection: string
  generation: Generation
  epoch: number
  maxRate: number | null
  /** The live generation: fail at poison that it does not have, and with a log that it was not built from. */
  replaces: Generation | null
  /** It was built from another log: fail only if something that it knows to be removed would come back. */
  acceptLog?: boolean
}

export interface BuildProgress {
  phase: RolloutPhase
  position: number
  total: number
}

/** Builds a generation, in this process or another. Rejects with `NewPoisonError` at new poison. */
export type BuildGeneration = (job: BuildJob, signal: AbortSignal, report: (progress: BuildProgress) => void) => Promise<void>

/** What a projection's leader works with. */
export interface EngineContext {
  /** With the dead-letter collections. */
  projection: Projection
  store: DocumentStore
  log: EventLog
  reader: LogReader
  logger: EngineLogger
  buildGeneration: BuildGeneration
  /** For work that blocks this thread for long. */
  withLongLease: RunStep
  /** Something was done that takes a while. */
  progressed?: () => void
}

/** The generation readers see, and its position; 0 when this code cannot project it. */
export interface LiveGeneration {
  generation: Generation
  position: Position
}

export interface BuildContext
  extends Pick<EngineContext, 'projection' | 'store' | 'log'>,
    Partial<Pick<EngineContext, 'reader' | 'withLongLease'>> {
  onCommit?: (batch: CommittedBatch) => void
}

/**
 * Loads, builds the indexes, catches up, and replays what an old generation has parked.
 * After a crash every step can be repeated. Returns early when the signal aborts.
 */
export async function buildGeneration(
  { projection, store, log, reader = new LogReader(log, projection.events), withLongLease = (step) => step(), onCommit }: BuildContext,
  job: BuildJob,
  signal: AbortSignal,
  report: (progress: BuildProgress) => void,
): Promise<void> {
  const generation = await store.openGeneration(job.generation, projection.collections)
  const follower = reader.follow()
  const { era } = reader
  try {
    await assertSameLog(reader, projection.name, await generation.checkpoint())
    const { replaces, acceptLog = false } = job
    if (replaces !== null && !acceptLog)
      await assertSameLog(reader, projection.name, await withGeneration(store, replaces, [], (live) => live.checkpoint()))
    const throttle = new Throttle(job.maxRate)
    const loading = job.generation.state === 'loading'
    const catchUp = async (phase: RolloutPhase) => {
      const writer = await GenerationWriter.open(projection, generation, job.epoch, loading, { onCommit })
      const discards = await Discards.load(store, projection.name)
      const read = async (after: Position) => {
        const page = await follower.page(after, throttle.pageSize)
        reader.assertEra(era)
        return page
      }
      const pages = foldPages(writer, { read, decide: discards.markDiscarded, defer: true })
      for await (const { position, read, atEnd } of pages) {
        report({ phase, position, total: (await log.bounds()).last })
        if (atEnd || signal.aborted) break
        await throttle.wait(read, signal)
        if (signal.aborted) break
      }
      return writer
    }
    await catchUp(loading ? 'loading' : 'catching up')
    if (signal.aborted) return
    const { position } = await generation.checkpoint()
    report({ phase: 'indexing', position, total: position })
    if (!(await buildQueryIndexes(generation, withLongLease, signal))) return
    const { parkedCount } = await catchUp('catching up')
    if (signal.aborted) return
    // This code would park its own dead letters again; those of an old generation may be due to a mistake fixed since.
    if (parkedCount > 0 && !loading) {
      const parked = await listParkedAggregates(generation)
      await replayParked({ projection, store, log, generation, withLongLease }, job.epoch, parked)
    }
    if (replaces === null) return
    if (acceptLog) return await assertTombstonesKept(store, projection, replaces, generation)
    const discards = await Discards.load(store, projection.name)
    const poison = await findNewPoison({ projection, store, opened: generation, discards }, replaces)
    if (poison !== null) throw poison
  } finally {
    follower.leave()
    await generation.close()
  }
}

/** `false` when the signal aborts between two steps. Each may block this thread for long. */
async function buildQueryIndexes(opened: GenerationStore, withLongLease: RunStep, signal: AbortSignal): Promise<boolean> {
  try {
    await opened.buildIndexes(async (step) => {
      await nextTurn()
      signal.throwIfAborted()
      await withLongLease(step)
    })
    return true
  } catch (error) {
    if (!signal.aborted) throw error
    return false
  }
}

/** Events per page without a rate limit. */
const MAX_PAGE_SIZE = 2500
/** With a rate limit, pages are small, so that the rate is even. */
const PAGES_PER_SECOND = 4

/** Keeps a rebuild at or below a number of events per second. */
export class Throttle {
  readonly #maxRate: number | null
  /** By a monotonic clock: a wall clock set back by an hour would stop a rebuild for that hour. */
  readonly #startedAt = performance.now()
  #done = 0

  constructor(maxRate: number | null) {
    this.#maxRate = maxRate
  }

  get pageSize(): number {
    return this.#maxRate === null ? MAX_PAGE_SIZE : Math.max(1, Math.min(MAX_PAGE_SIZE, Math.ceil(this.#maxRate / PAGES_PER_SECOND)))
  }

  /** Waits until this many more events are within the rate. */
  async wait(events: number, signal: AbortSignal): Promise<void> {
    if (this.#maxRate === null) return
    this.#done += events
    const dueAt = this.#startedAt + (this.#done / this.#maxRate) * 1000
    const ahead = dueAt - performance.now()
    if (ahead > 0) await delay(ahead, undefined, { signal }).catch(() => {})
  }
}
