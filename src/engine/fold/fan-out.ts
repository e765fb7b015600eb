import type { EventName, EventOf } from '../../events/index.js'
import type { Collection, FanOutProgress, IndexQuery } from '../../ports/document-store.js'
import { type FanOut, type Ref, ref } from '../definition/projection.js'
import type { UnitOfWork } from './unit-of-work.js'

/** Documents a fan-out may change before it has to commit what it has. */
const DOCUMENTS_PER_COMMIT = 2000

/** Commits everything so far, with a mark of how far the fan-out has come. */
export type CommitFanOutProgress = (slice: FanOutProgress) => Promise<void>

export interface FanOutContext {
  unit: UnitOfWork
  /** Documents visited since the last commit. */
  visited: number
  loadUntilComplete(refs: () => readonly Ref[]): Promise<void>
  /** Runs the projection's own code, whose throwing makes the event poison. */
  run<T>(run: () => T): T
}

/** Runs an event's sweeps in order, from `resume` on. Each sees the store and what the batch has changed. */
export async function runFanOuts<N extends EventName>(
  steps: readonly FanOut<N>[],
  event: EventOf<N>,
  sweeper: FanOutContext,
  resume: FanOutProgress | null,
  commit: CommitFanOutProgress,
): Promise<void> {
  for (let step = resume?.step ?? 0; step < steps.length; step++) {
    const current = steps[step]
    if (current === undefined) return
    const afterId = step === resume?.step ? resume.afterId : null
    const mark = (id: string | null) => commit({ step, afterId: id })
    if (current.through !== null) await sweepNested(current, current.through, event, sweeper, mark)
    else {
      const query = sweeper.run(() => current.where(event, sweeper.unit, undefined))
      await sweepAll(current, query, event, sweeper, afterId, mark)
    }
  }
}

async function sweepAll<N extends EventName>(
  step: FanOut<N>,
  query: IndexQuery | null,
  event: EventOf<N>,
  sweeper: FanOutContext,
  afterId: string | null,
  commit: (afterId: string | null) => Promise<void>,
): Promise<void> {
  if (query === null) return
  await forEachMatch(step.collection, query, sweeper.unit, afterId, async (id) => {
    const member = sweeper.unit.get(step.collection, id)
    if (member === undefined) return
    await sweeper.loadUntilComplete(() => step.also(event, member, sweeper.unit.loadedDocs))
    sweeper.run(() => step.each(event, member, sweeper.unit))
    sweeper.visited += 1
    if (sweeper.visited < DOCUMENTS_PER_COMMIT) return
    sweeper.visited = 0
    await commit(id)
  })
}

/** Needs no mark of its own: what has been swept no longer matches, so starting over continues. */
async function sweepNested<N extends EventName>(
  step: FanOut<N>,
  through: NonNullable<FanOut<N>['through']>,
  event: EventOf<N>,
  sweeper: FanOutContext,
  commit: (afterId: string | null) => Promise<void>,
): Promise<void> {
  const query = sweeper.run(() => through.where(event, sweeper.unit))
  if (query === null) return
  await forEachMatch(through.collection, query, sweeper.unit, null, async (outerId) => {
    await sweeper.unit.load([ref(through.collection, outerId)])
    const outer = sweeper.unit.get(through.collection, outerId)
    const inner = sweeper.run(() => step.where(event, sweeper.unit, outer))
    await sweepAll(step, inner, event, sweeper, null, () => commit(null))
  })
}

async function forEachMatch(
  collection: Collection,
  query: IndexQuery,
  unitOfWork: UnitOfWork,
  afterId: string | null,
  visit: (id: string) => Promise<void>,
): Promise<void> {
  for (let after = afterId; ; ) {
    const ids = await unitOfWork.matching(collection, query, after, DOCUMENTS_PER_COMMIT)
    await unitOfWork.load(ids.map((id) => ref(collection, id)))
    for (const id of ids) {
      const found = ref(collection, id)
      // A slice commit on the way may have made the working set forget it. Waiting for nothing would cost much here.
      if (!unitOfWork.isLoaded(found)) await unitOfWork.load([found])
      if (unitOfWork.matches(collection, query, id)) await visit(id)
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < DOCUMENTS_PER_COMMIT) return
    after = last
  }
}
