import { START } from '../../events/index.js'
import { heldLeases } from '../../ports/coordination.js'
import type { Generation } from '../../ports/document-store.js'
import type { EngineContext } from '../generations/build-generation.js'
import { RequestStore } from '../requests/request-store.js'
import { isRollout, Rollout } from '../requests/rollout.js'
import { type Candidate, demandLeadership, type Leadership, releaseOnError, tryLead } from './leadership.js'
import { WakeSignal } from './wake-signal.js'

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
