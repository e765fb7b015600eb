import { setTimeout as delay } from 'node:timers/promises'
import type { Position } from '../../events/index.js'
import type { DocumentStore, ModelView } from '../../ports/document-store.js'
import { loadParked } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'

/** Another version's documents cannot be expected to come out the same. */
export class VersionMismatchError extends Error {
  override name = 'VersionMismatchError'
}

/** The model does not come to rest for long enough to be compared. */
export class ModelBusyError extends Error {
  override name = 'ModelBusyError'
}

/** How often to ask whether a fan-out has ended, */
const POLL_MS = 100
/** for how long if it does not get on, as when nobody leads, */
export const FAN_OUT_TIMEOUT_MS = 120_000
/** and how many times as long if it does. */
const MAX_TIMEOUTS = 10

/** The live model at one moment, which the store keeps for as long as the work takes. */
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

/**
 * The same, but between two events. A large fan-out is committed in slices, and until the last of them some documents are
 * already as the event after the position leaves them.
 */
export async function withViewBetweenEvents<T>(
  store: DocumentStore,
  projection: Projection,
  patienceMs: number,
  work: (view: ModelView) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  let last = { mark: '', since: began }
  for (;;) {
    const looked = await withLiveView<{ outcome: T } | { position: Position; mark: string }>(store, projection, async (view) => {
      const { position, slice } = view.checkpoint
      if (slice !== null) return { position, mark: JSON.stringify([position, slice]) }
      await failIfHalfApplied(projection, view)
      return { outcome: await work(view) }
    })
    if ('outcome' in looked) return looked.outcome
    const now = performance.now()
    if (looked.mark !== last.mark) last = { mark: looked.mark, since: now }
    if (now - last.since > patienceMs || now - began > MAX_TIMEOUTS * patienceMs) throw fanOutRunningError(projection, looked.position)
    await delay(POLL_MS)
  }
}

const fanOutRunningError = ({ name }: Projection, position: Position): ModelBusyError =>
  new ModelBusyError(
    `a fan-out of ${name} is under way: the event behind position ${position} has reached only some of its documents. Try again when it has ended, for which a projector has to run`,
  )

/** A fan-out that was parked behind its first slice stays half done until it is replayed. */
async function failIfHalfApplied({ name }: Projection, view: ModelView): Promise<void> {
  for (const { _id, position, slice } of (await loadParked(view)).values())
    if (slice !== undefined)
      throw new ModelBusyError(
        `the event at position ${position} has stopped half-way through the documents of ${_id}: "vitrine dead-letters replay ${name} ${_id}" goes on with it, "vitrine rebuild ${name}" does without`,
      )
}
