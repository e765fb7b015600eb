import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Around, DocumentStore, Generation, GenerationStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Decisions } from '../dead-letters/discards.js'
import { replayLetters } from '../dead-letters/replay-parked.js'
import { loadParked } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { Session } from '../fold/generation-writer.js'
import { recogniseLog } from '../fold/log-identity.js'
import { Source } from '../fold/log-reader.js'
import type { CommittedBatch } from '../fold/telemetry.js'
import type { Phase } from '../requests/request-store.js'
import { NewPoisonError, newPoison } from './new-poison.js'
import { Pace } from './pace.js'

/** A generation that is to be filled, or caught up, to the end of the log. Plain data, so that it can go to another thread. */
export interface BringUpJob {
  projection: string
  generation: Generation
  epoch: number
  maxRate: number | null
  /** Stop at poison that this generation has not met. */
  strictBeside: Generation | null
}

export interface Reached {
  phase: Phase
  position: number
  total: number
}

/** Brings a generation up, here or in a thread of its own. Rejects with {@link NewPoisonError} at new poison. */
export type BringUp = (job: BringUpJob, signal: AbortSignal, report: (reached: Reached) => void) => Promise<void>

export interface Workshop {
  /** With the collections of the dead letters. */
  projection: Projection
  store: DocumentStore
  log: EventLog
  source?: Source
  around?: Around
  metered?: (batch: CommittedBatch) => void
}

const atOnce: Around = (step) => step()

/** A rebuild of hours should not find out at its end that it cannot go live. */
const POISON_LOOK_MS = 2000

/**
 * Load, build the indexes, catch up with what has come meanwhile, give what an old generation has parked another
 * chance, compute the derived documents. Every step can be cut short by a crash and be done again. Returns early when interrupted.
 */
export async function bringUp(
  { projection, store, log, source = new Source(log), around = atOnce, metered }: Workshop,
  job: BringUpJob,
  signal: AbortSignal,
  report: (reached: Reached) => void,
): Promise<void> {
  const opened = await store.openGeneration(job.generation, projection.collections)
  try {
    await recogniseLog(source, projection.name, await opened.checkpoint())
    const pace = new Pace(job.maxRate)
    const loading = job.generation.state === 'loading'
    const catchUp = async (phase: Phase) => {
      const session = await Session.open(projection, opened, job.epoch, loading, { metered })
      const decisions = await Decisions.of(store, projection.name)
      let lookedAt = Number.NEGATIVE_INFINITY
      await foldToEnd(session, source, decisions, pace, signal, async () => {
        report({ phase, position: session.position, total: (await log.bounds()).last })
        if (session.parkedCount === 0 || performance.now() - lookedAt < POISON_LOOK_MS) return
        await refusePoison({ projection, store, opened, decisions }, job, 'on the way')
        lookedAt = performance.now()
      })
      return session
    }
    await catchUp(loading ? 'loading' : 'catching up')
    if (signal.aborted) return
    const { position } = await opened.checkpoint()
    report({ phase: 'indexing', position, total: position })
    if (!(await builtIndexes(opened, around, signal))) return
    const { parkedCount } = await catchUp('catching up')
    if (signal.aborted) return
    // What this very code has just parked it would park again; an old generation may have been left by code with a mistake.
    if (parkedCount > 0 && !loading)
      await replayLetters({ projection, store, log, opened, around }, job.epoch, [...(await loadParked(opened)).keys()])
    await refusePoison({ projection, store, opened, decisions: await Decisions.of(store, projection.name) }, job, 'at the end')
    await (await Session.open(projection, opened, job.epoch, loading)).derive()
  } finally {
    await opened.close()
  }
}

/** `false` when interrupted between two steps. Each may block this thread for long, so what has come meanwhile is heard first. */
async function builtIndexes(opened: GenerationStore, around: Around, signal: AbortSignal): Promise<boolean> {
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

async function foldToEnd(
  session: Session,
  source: Source,
  decisions: Decisions,
  pace: Pace,
  signal: AbortSignal,
  turned: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const events = await source.page(session.position, pace.page)
    await session.advance(decisions.applied(events), { defer: true })
    await turned()
    const last = events.at(-1)?.record.position ?? session.position
    if (events.length < pace.page && session.position === last) {
      await session.flush()
      // Unless the commit was refused and there is something to fold again.
      if (session.position === last) return
    }
    await pace.after(events.length, signal)
    // Lets the lease's timer run, and the other projections.
    await nextTurn()
  }
  await session.settle()
}

async function refusePoison(
  parts: { projection: Projection; store: DocumentStore; opened: GenerationStore; decisions: Decisions },
  { strictBeside }: BringUpJob,
  when: 'on the way' | 'at the end',
): Promise<void> {
  if (strictBeside === null) return
  const poison = await newPoison(parts, strictBeside, when)
  if (poison.length > 0) throw new NewPoisonError(poison)
}
