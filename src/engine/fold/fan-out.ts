import type { AnyEvent } from '../../events/index.js'
import type { Collection, FanOutProgress, IndexQuery } from '../../ports/document-store.js'
import { type EventFanOut, type Ref, ref } from '../definition/projection.js'
import type { UnitOfWork } from './unit-of-work.js'

/** A fan-out commits after this many documents. */
const DOCUMENTS_PER_COMMIT = 2000

/** Commits everything so far, with the progress of the fan-out. */
export type CommitFanOutProgress = (slice: FanOutProgress) => Promise<void>

export interface FanOutContext {
  unit: UnitOfWork
  /** Documents visited since the last commit. */
  visited: number
  /** Called with every document. */
  onVisit?: (() => void) | undefined
  /** Called once, with the number of documents, if there are many. */
  onMany?: ((total: number) => void) | undefined
  loadUntilComplete(refs: () => readonly Ref[]): Promise<void>
  /** Runs the projection's own code: an error makes the event poison. */
  run<T>(run: () => T): T
}

/** The types refuse async functions, but plain JavaScript does not. Their changes would come after the event was counted. */
export function assertDone(result: unknown, name: string): void {
  if (typeof result === 'object' && result !== null && 'then' in result) throw new Error(`${name} must not be async`)
}

/** Runs an event's sweeps in order, from `resume` on. Each sees the store with the changes of the batch. */
export async function runFanOuts<E extends AnyEvent>(
  steps: readonly EventFanOut<E>[],
  event: E,
  context: FanOutContext,
  resume: FanOutProgress | null,
  commit: CommitFanOutProgress,
): Promise<void> {
  for (let step = resume?.step ?? 0; step < steps.length; step++) {
    const current = steps[step]
    if (current === undefined) return
    const afterId = step === resume?.step ? resume.afterId : null
    const commitAt = (id: string | null) => commit({ step, afterId: id })
    if (current.through !== null) await sweepNested(current, current.through, event, context, commitAt)
    else {
      const query = context.run(() => current.where(event, context.unit, undefined))
      await sweepAll(current, query, event, context, afterId, commitAt)
    }
  }
}

async function sweepAll<E extends AnyEvent>(
  step: EventFanOut<E>,
  query: IndexQuery | null,
  event: E,
  context: FanOutContext,
  afterId: string | null,
  commit: (afterId: string | null) => Promise<void>,
): Promise<void> {
  if (query === null) return
  await forEachMatch(step.collection, query, context, afterId, async (id) => {
    const member = context.unit.get(step.collection, id)
    if (member === undefined) return
    await context.loadUntilComplete(() => step.also(event, member, context.unit.loadedDocs))
    context.run(() => assertDone(step.each(event, member, context.unit), 'each'))
    context.visited += 1
    context.onVisit?.()
    if (context.visited < DOCUMENTS_PER_COMMIT) return
    context.visited = 0
    await commit(id)
  })
}

/** Stores no progress: after a crash it starts over, and what was visited no longer matches or stays as it is. */
async function sweepNested<E extends AnyEvent>(
  step: EventFanOut<E>,
  through: NonNullable<EventFanOut<E>['through']>,
  event: E,
  context: FanOutContext,
  commit: (afterId: string | null) => Promise<void>,
): Promise<void> {
  const query = context.run(() => through.where(event, context.unit))
  if (query === null) return
  await forEachMatch(through.collection, query, context, null, async (outerId) => {
    await context.unit.load([ref(through.collection, outerId)])
    const outer = context.unit.get(through.collection, outerId)
    const inner = context.run(() => step.where(event, context.unit, outer))
    await sweepAll(step, inner, event, context, null, () => commit(null))
  })
}

async function forEachMatch(
  collection: Collection,
  query: IndexQuery,
  { unit, onMany }: FanOutContext,
  afterId: string | null,
  visit: (id: string) => Promise<void>,
): Promise<void> {
  for (let after = afterId; ; ) {
    const ids = await unit.matching(collection, query, after, DOCUMENTS_PER_COMMIT)
    if (after === afterId && ids.length >= DOCUMENTS_PER_COMMIT) onMany?.(await unit.countMatching(collection, query))
    await unit.load(ids.map((id) => ref(collection, id)))
    for (const id of ids) {
      const found = ref(collection, id)
      // Committing a slice may have evicted it. An await without need would be expensive here.
      if (!unit.isLoaded(found)) await unit.load([found])
      if (unit.matches(collection, query, id)) await visit(id)
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < DOCUMENTS_PER_COMMIT) return
    after = last
  }
}
