import type { EventName, EventOf } from '../../events/index.js'
import type { Collection, IndexQuery, Slice } from '../../ports/document-store.js'
import { type FanOut, type Ref, ref } from '../definition/projection.js'
import type { WorkingSet } from './unit-of-work.js'

/** Documents a fan-out may change before it has to commit what it has. */
const SLICE = 2000

/** Commits everything so far, with a mark of how far the fan-out has come. */
export type SliceCommit = (slice: Slice) => Promise<void>

export interface Sweeper {
  working: WorkingSet
  /** Documents visited since the last commit. */
  visited: number
  settle(refs: () => readonly Ref[]): Promise<void>
  /** Runs the projection's own code, whose throwing makes the event poison. */
  ask<T>(run: () => T): T
}

/** Runs an event's sweeps in order, from `resume` on. Each sees the store and what the batch has changed. */
export async function fanOut<N extends EventName>(
  steps: readonly FanOut<N>[],
  event: EventOf<N>,
  sweeper: Sweeper,
  resume: Slice | null,
  commit: SliceCommit,
): Promise<void> {
  for (let step = resume?.step ?? 0; step < steps.length; step++) {
    const current = steps[step]
    if (current === undefined) return
    const afterId = step === resume?.step ? resume.afterId : null
    const mark = (id: string | null) => commit({ step, afterId: id })
    if (current.through !== null) await sweepNested(current, current.through, event, sweeper, mark)
    else {
      const query = sweeper.ask(() => current.where(event, sweeper.working, undefined))
      await sweepAll(current, query, event, sweeper, afterId, mark)
    }
  }
}

async function sweepAll<N extends EventName>(
  step: FanOut<N>,
  query: IndexQuery | null,
  event: EventOf<N>,
  sweeper: Sweeper,
  afterId: string | null,
  commit: (afterId: string | null) => Promise<void>,
): Promise<void> {
  if (query === null) return
  await forEachMatch(step.collection, query, sweeper.working, afterId, async (id) => {
    const member = sweeper.working.get(step.collection, id)
    if (member === undefined) return
    await sweeper.settle(() => step.also(event, member, sweeper.working.guess))
    sweeper.ask(() => step.each(event, member, sweeper.working))
    sweeper.visited += 1
    if (sweeper.visited < SLICE) return
    sweeper.visited = 0
    await commit(id)
  })
}

/** Needs no mark of its own: what has been swept no longer matches, so starting over continues. */
async function sweepNested<N extends EventName>(
  step: FanOut<N>,
  through: NonNullable<FanOut<N>['through']>,
  event: EventOf<N>,
  sweeper: Sweeper,
  commit: (afterId: string | null) => Promise<void>,
): Promise<void> {
  const query = sweeper.ask(() => through.where(event, sweeper.working))
  if (query === null) return
  await forEachMatch(through.collection, query, sweeper.working, null, async (outerId) => {
    await sweeper.working.load([ref(through.collection, outerId)])
    const outer = sweeper.working.get(through.collection, outerId)
    const inner = sweeper.ask(() => step.where(event, sweeper.working, outer))
    await sweepAll(step, inner, event, sweeper, null, () => commit(null))
  })
}

async function forEachMatch(
  collection: Collection,
  query: IndexQuery,
  working: WorkingSet,
  afterId: string | null,
  visit: (id: string) => Promise<void>,
): Promise<void> {
  for (let after = afterId; ; ) {
    const ids = await working.matching(collection, query, after, SLICE)
    await working.load(ids.map((id) => ref(collection, id)))
    for (const id of ids) {
      const found = ref(collection, id)
      // A slice commit on the way may have made the working set forget it. Waiting for nothing would cost much here.
      if (!working.isLoaded(found)) await working.load([found])
      if (working.matches(collection, query, id)) await visit(id)
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < SLICE) return
    after = last
  }
}
