import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { DocumentStore, Generation, GenerationStore, RunStep } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Discards } from '../dead-letters/discards.js'
import { replayParked } from '../dead-letters/replay-parked.js'
import { loadParked } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { foldPages } from '../fold/fold-pages.js'
import { GenerationWriter } from '../fold/generation-writer.js'
import { assertSameLog } from '../fold/log-identity.js'
import { type DecodedRecord, LogReader } from '../fold/log-reader.js'
import type { CommittedBatch } from '../fold/telemetry.js'
import { findNewPoison, NewPoisonError } from './new-poison.js'

/** Stored in requests: the words stay as they are. */
export const ROLLOUT_PHASES = ['waiting', 'loading', 'indexing', 'catching up', 'flipping', 'ending'] as const
type RolloutPhase = (typeof ROLLOUT_PHASES)[number]

/** A generation that is to be filled, or caught up, to the end of the log. Plain data, so that it can go to another thread. */
export interface BuildJob {
  projection: string
  generation: Generation
  epoch: number
  maxRate: number | null
  /** Stop at poison that this generation has not met. */
  poisonBaseline: Generation | null
}

export interface BuildProgress {
  phase: RolloutPhase
  position: number
  total: number
}

/** Brings a generation up, here or in a thread of its own. Rejects with {@link NewPoisonError} at new poison. */
export type BuildGeneration = (job: BuildJob, signal: AbortSignal, report: (reached: BuildProgress) => void) => Promise<void>

export interface BuildContext {
  /** With the collections of the dead letters. */
  projection: Projection
  store: DocumentStore
  log: EventLog
  reader?: LogReader
  runStep?: RunStep
  onCommit?: (batch: CommittedBatch) => void
}

const runDirectly: RunStep = (step) => step()

/** A rebuild of hours should not find out at its end that it cannot go live. */
const POISON_CHECK_MS = 2000

/**
 * Load, build the indexes, catch up with what has come meanwhile, give what an old generation has parked another
 * chance, compute the derived documents. Every step can be cut short by a crash and be done again. Returns early when interrupted.
 */
export async function buildGeneration(
  { projection, store, log, reader = new LogReader(log), runStep = runDirectly, onCommit }: BuildContext,
  job: BuildJob,
  signal: AbortSignal,
  report: (reached: BuildProgress) => void,
): Promise<void> {
  const generation = await store.openGeneration(job.generation, projection.collections)
  try {
    await assertSameLog(reader, projection.name, await generation.checkpoint())
    const throttle = new Throttle(job.maxRate)
    const loading = job.generation.state === 'loading'
    const catchUp = async (phase: RolloutPhase) => {
      const writer = await GenerationWriter.open(projection, generation, job.epoch, loading, { onCommit })
      const discards = await Discards.load(store, projection.name)
      const decide = (events: readonly DecodedRecord[]) => discards.markDiscarded(events)
      let checkedAt = Number.NEGATIVE_INFINITY
      for await (const { position, read, atEnd } of foldPages(writer, { read: reader.pages(throttle.pageSize), decide, defer: true })) {
        report({ phase, position, total: (await log.bounds()).last })
        if (writer.parkedCount > 0 && performance.now() - checkedAt >= POISON_CHECK_MS) {
          await failOnNewPoison({ projection, store, opened: generation, discards }, job, 'on the way')
          checkedAt = performance.now()
        }
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
    if (!(await buildQueryIndexes(generation, runStep, signal))) return
    const { parkedCount } = await catchUp('catching up')
    if (signal.aborted) return
    // What this very code has just parked it would park again; an old generation may have been left by code with a mistake.
    if (parkedCount > 0 && !loading)
      await replayParked({ projection, store, log, generation, withLongLease: runStep }, job.epoch, [
        ...(await loadParked(generation)).keys(),
      ])
    await failOnNewPoison(
      { projection, store, opened: generation, discards: await Discards.load(store, projection.name) },
      job,
      'at the end',
    )
    await (await GenerationWriter.open(projection, generation, job.epoch, loading)).computeDerived()
  } finally {
    await generation.close()
  }
}

/** `false` when interrupted between two steps. Each may block this thread for long, so what has come meanwhile is heard first. */
async function buildQueryIndexes(opened: GenerationStore, around: RunStep, signal: AbortSignal): Promise<boolean> {
  try {
    await opened.buildIndexes(async (step) => {
      await nextTurn()
      signal.throwIfAborted()
      await around(step)
    })
    return true
  } catch (error) {
    if (!signal.aborted) throw error
    return false
  }
}

async function failOnNewPoison(
  parts: { projection: Projection; store: DocumentStore; opened: GenerationStore; discards: Discards },
  { poisonBaseline }: BuildJob,
  when: 'on the way' | 'at the end',
): Promise<void> {
  if (poisonBaseline === null) return
  const poison = await findNewPoison(parts, poisonBaseline, when)
  if (poison.length > 0) throw new NewPoisonError(poison)
}

/** Events to a page when nothing is said about speed. */
const MAX_PAGE_SIZE = 2500
/** Pages per second at a given speed: small ones, so that it is kept from moment to moment and not on average. */
const PAGES_PER_SECOND = 4

/** Keeps a rebuild at or below a number of events per second. */
export class Throttle {
  readonly #maxRate: number | null
  /** Of a clock that nobody sets: a wall clock put back by an hour would stop a rebuild for that hour. */
  readonly #startedAt = performance.now()
  #done = 0

  constructor(maxRate: number | null) {
    this.#maxRate = maxRate
  }

  get pageSize(): number {
    return this.#maxRate === null ? MAX_PAGE_SIZE : Math.max(1, Math.min(MAX_PAGE_SIZE, Math.ceil(this.#maxRate / PAGES_PER_SECOND)))
  }

  /** Waits as long as it takes for so many more events not to have been too fast. */
  async wait(events: number, signal: AbortSignal): Promise<void> {
    if (this.#maxRate === null) return
    this.#done += events
    const dueAt = this.#startedAt + (this.#done / this.#maxRate) * 1000
    const ahead = dueAt - performance.now()
    if (ahead > 0) await delay(ahead, undefined, { signal }).catch(() => {})
  }
}
