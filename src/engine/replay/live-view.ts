import { setTimeout as delay } from 'node:timers/promises'
import type { Position } from '../../events/index.js'
import type { DocumentStore, ModelView } from '../../ports/document-store.js'
import { loadParked } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'

/** Another version's documents cannot be compared. */
export class VersionMismatchError extends Error {
  override name = 'VersionMismatchError'
}

/** The model changes too much to be compared. */
export class ModelBusyError extends Error {
  override name = 'ModelBusyError'
}

/** How often to check whether a fan-out has ended. */
const POLL_MS = 100
/** How long to wait for one that makes no progress, for example without a leader. */
export const FAN_OUT_TIMEOUT_MS = 120_000
/** One that makes progress is given this many times as long. */
const MAX_TIMEOUTS = 10

/** Reads the live model from one snapshot. */
export async function withLiveView<T>(
  store: DocumentStore,
  { name, version }: Projection,
  work: (view: ModelView) => Promise<T>,
): Promise<T> {
  const snapshot = await store.snapshot([name])
  try {
    const view = snapshot.model(name)
    if (view.generation.version !== version) {
      throw new VersionMismatchError(
        `${name} is served by version ${view.generation.version}, and this is version ${version}: rebuild it first`,
      )
    }
    return await work(view)
  } finally {
    snapshot.release()
  }
}

/** Waits until no fan-out is under way: in between, some documents are ahead of the checkpoint's position. */
export async function withViewBetweenEvents<T>(
  store: DocumentStore,
  projection: Projection,
  timeoutMs: number,
  work: (view: ModelView) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  let last = { progress: '', since: began }
  for (;;) {
    const looked = await withLiveView<{ outcome: T } | { position: Position; progress: string }>(store, projection, async (view) => {
      const { position, slice } = view.checkpoint
      if (slice !== null) return { position, progress: JSON.stringify([position, slice]) }
      await failIfHalfApplied(projection, view)
      return { outcome: await work(view) }
    })
    if ('outcome' in looked) return looked.outcome
    const now = performance.now()
    if (looked.progress !== last.progress) last = { progress: looked.progress, since: now }
    if (now - last.since > timeoutMs || now - began > MAX_TIMEOUTS * timeoutMs) throw fanOutRunningError(projection, looked.position)
    await delay(POLL_MS)
  }
}

const fanOutRunningError = ({ name }: Projection, position: Position): ModelBusyError =>
  new ModelBusyError(
    `a fan-out of ${name} is under way: the event behind position ${position} has reached only some of its documents. Try again when it has ended, for which a projector has to run`,
  )

/** A fan-out that was parked after its first slice stays half done until it is replayed. */
async function failIfHalfApplied({ name }: Projection, view: ModelView): Promise<void> {
  for (const { _id, position, slice } of (await loadParked(view)).values())
    if (slice !== undefined)
      throw new ModelBusyError(
        `the event at position ${position} has stopped half-way through the documents of ${_id}: "vitrine dead-letters replay ${name} ${_id}" goes on with it, "vitrine rebuild ${name}" does without`,
      )
}
