import { START } from '../../events/index.js'
import type { DocumentStore, Generation } from '../../ports/document-store.js'
import type { Projection } from '../definition/projection.js'
import type { DeskParts } from '../requests/request-executor.js'
import { type Request, Requests } from '../requests/request-store.js'
import { Flight } from '../requests/rollout.js'
import { demand, type Leadership, leadIfFree } from './leadership.js'
import { Waker } from './wake-signal.js'

interface Challenger {
  projection: Projection
  store: DocumentStore
  holder: string
  deskParts: (claim: Leadership) => DeskParts
}

/**
 * The live generation is of another version, and one of ours is asked for. It is brought up while a leader of that
 * version goes on with the live one; that leader is asked for its place only when ours could go live, and whoever gets
 * the place finishes the request as any leader does. `null` when it has not come to that: look again.
 */
export async function challenge(
  { projection: { name, version }, store, holder, deskParts }: Challenger,
  live: Generation,
  signal: AbortSignal,
  turned: () => void,
): Promise<Leadership | null> {
  const free = await leadIfFree(store, name, holder, signal)
  if (free !== null) return free
  // Of all that run this version one does the work.
  const claim = await leadIfFree(store, `${name}@${version}`, holder, signal)
  if (claim === null) return null
  const waker = new Waker(store, claim.over)
  const requests = new Requests(store)
  let flight: Flight | null = null
  try {
    // Nobody but the holder of the claim writes that generation, and its commits compare checkpoints. The leader's epoch is
    // one that no later leader of the projection is refused for.
    const leader = (await store.leases()).find(({ projection }) => projection === name)
    while (leader !== undefined && !claim.over.aborted) {
      turned()
      if (waker.isDue) {
        const request = (await requests.open(name)).find((open) => open.version === version && isForGeneration(open))
        if (request === undefined || (flight !== null && flight.id !== request.id)) return null
        flight ??= new Flight(deskParts(claim), requests, leader, () => waker.wake(), request)
        const prepared = await flight.prepare(request, { generation: live, position: START })
        if (typeof prepared === 'string') return null
        if (prepared !== null) return await demand(store, name, holder, signal)
      }
      await waker.awaken()
    }
    return null
  } finally {
    waker.close()
    await flight?.stop()
    await claim.release()
  }
}

const isForGeneration = ({ order: { kind } }: Request): boolean => kind === 'rebuild' || kind === 'rollback'
