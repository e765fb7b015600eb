import { START } from '../../events/index.js'
import { heldLeases } from '../../ports/coordination.js'
import type { DocumentStore, Generation } from '../../ports/document-store.js'
import { liveGeneration } from '../fold/open-generation.js'
import type { EngineLogger } from '../fold/telemetry.js'
import type { EngineContext } from '../generations/build-generation.js'
import { RequestStore } from '../requests/request-store.js'
import { isRollout, Rollout, wasRolledBack } from '../requests/rollout.js'
import { type Candidate, demandLeadership, type Leadership, releaseOnError, tryLead } from './leadership.js'
import { WakeSignal } from './wake-signal.js'

/** When the live generation is of another version than this code: build one of ours, or keep serving it as it is. */
export type OnVersionChange = 'rebuild' | 'keep'

interface VersionContext {
  projection: { name: string; version: number }
  store: DocumentStore
  logger: EngineLogger
  onVersionChange: OnVersionChange
}

/** What a projector does about a live generation of another version. */
export class VersionChange {
  readonly #context: VersionContext
  /** A rebuild for a new version is requested once: if it fails, an operator has to look first. */
  #isRequested = false
  #isSaid = false

  constructor(context: VersionContext) {
    this.#context = context
  }

  /** The live generation, if it is of another version than this code. */
  async otherLive(): Promise<Generation | null> {
    const { store, projection } = this.#context
    const live = await liveGeneration(store, projection.name)
    if (live === null) return null
    if (live.version !== projection.version) return live
    // If it is replaced from now on, that is a rollback, which must not be undone.
    this.#isRequested = true
    return null
  }

  /**
   * We cannot fold into another version's documents, but a process of that version may. So the lead is left to it,
   * unless a generation of our version is requested.
   */
  async leavesLeadTo(live: Generation): Promise<boolean> {
    const { store, projection, logger, onVersionChange } = this.#context
    const { name, version } = projection
    const requests = new RequestStore(store)
    // Only forwards: a restarted process of the old release must not undo the new one, nor a new one a rollback.
    if (onVersionChange === 'rebuild' && !this.#isRequested && live.version < version) {
      this.#isRequested = true
      if (!(await wasRolledBack(store, name, version))) await requests.submit(name, version, { kind: 'rebuild', maxRate: null })
    }
    if ((await requests.open(name)).some((request) => request.version === version)) return false
    const details = { projection: name, generation: live.number, liveVersion: live.version, version }
    if (!this.#isSaid)
      logger.warn(
        details,
        `the live generation is of another version, which this process cannot keep up to date: run "vitrine rebuild ${name}"`,
      )
    this.#isSaid = true
    return true
  }
}

interface TakeoverContext extends Pick<EngineContext, 'projection' | 'store'>, Pick<Candidate, 'holder' | 'health'> {
  engineContext: (claim: Leadership) => EngineContext
}

/**
 * The live generation is of another version, and one of ours is requested. Builds ours while a leader of the other
 * version keeps the live one up to date, and asks for the lead once ours could go live. The request is then finished as
 * any other. `null` when there is no lead yet: try again.
 */
export async function takeOverVersion(
  { projection: { name, version }, store, holder, health, engineContext }: TakeoverContext,
  live: Generation,
  signal: AbortSignal,
  progressed: () => void,
): Promise<Leadership | null> {
  const candidate = { store, projection: name, holder, signal, ...(health && { health }) }
  const free = await tryLead(candidate)
  if (free !== null) return free
  // One process of this version does the work.
  const claim = await tryLead({ ...candidate, projection: `${name}@${version}` })
  if (claim === null) return null
  const wakeSignal = new WakeSignal(store, claim.ended)
  const requests = new RequestStore(store)
  let rollout: Rollout | null = null
  let taken: Leadership | null = null
  try {
    // Only the holder of the claim writes that generation. With the leader's epoch, no later leader is fenced off.
    const leader = (await heldLeases(store)).find(({ projection }) => projection === name)
    while (leader !== undefined && !claim.ended.aborted) {
      progressed()
      if (wakeSignal.takeDue()) {
        const request = (await requests.open(name)).find((open) => open.version === version && isRollout(open))
        if (request === undefined || (rollout !== null && rollout.id !== request.id)) return null
        rollout ??= new Rollout({ ...engineContext(claim), requests, lease: leader, wake: () => wakeSignal.wake() }, request)
        const prepared = await rollout.prepare(request, { generation: live, position: START })
        if (typeof prepared === 'string') return null
        if (prepared !== null) {
          taken = await demandLeadership(candidate)
          return taken
        }
      }
      await wakeSignal.wait()
    }
    return null
  } finally {
    wakeSignal.close()
    await releaseOnError(taken, async () => {
      await rollout?.stop()
      await claim.release()
    })
  }
}
