import { setTimeout as delay } from 'node:timers/promises'
import { heldLeases } from '../../ports/coordination.js'
import type { AcquiredLease, DocumentStore, Lease, ProjectionHealth, RunStep } from '../../ports/document-store.js'

/** A leader that does not renew for this long loses the lead. */
const LEASE_MS = 3000
const RENEW_MS = 1000
/** Poll often during a hand-over, so that the projection hardly stops. */
const HAND_OVER_POLL_MS = 25
/** Longer than a leader takes to see the request, unless it is busy. */
const HAND_OVER_MS = 1500
/** For work that blocks the thread, such as building an index. If the leader dies there, others wait this long. */
const LONG_LEASE_MS = 60_000

export interface Leadership {
  lease: Lease
  /** Aborts when the lease is lost or released, and when the process stops. */
  ended: AbortSignal
  /** Runs work that blocks this thread, under a longer lease. */
  withLongLease: RunStep
  /** What the leader before said. */
  healthBefore: ProjectionHealth | null
  /** Stores the health now, not with the next renewal. */
  sayHealth(): void
  release(): Promise<void>
}

/** A projector that wants to lead a projection. */
export interface Candidate {
  store: DocumentStore
  projection: string
  holder: string
  /** The process stops. */
  signal: AbortSignal
  /** Stored with every renewal. */
  health?: () => ProjectionHealth
}

/**
 * Waits until the candidate leads the projection, and asks for it if leadership is uneven. `null` when the signal aborts
 * first, or when `isFit`, called before every attempt, says no.
 */
export async function awaitLeadership(
  candidate: Candidate,
  transfer: LeadershipTransfer | null,
  isFit: () => Promise<boolean>,
): Promise<Leadership | null> {
  const { projection, signal } = candidate
  for (;;) {
    if (signal.aborted || !(await isFit())) return null
    const leadership = await tryLead(candidate)
    if (leadership !== null) return leadership
    if (transfer !== null && (await transfer.request(projection))) {
      const handedOver = await awaitHandOver(candidate, transfer)
      if (handedOver !== null) return handedOver
    }
    await delay(RENEW_MS, undefined, { signal }).catch(() => {})
  }
}

/** `null` while another process leads. */
export async function tryLead(candidate: Candidate): Promise<Leadership | null> {
  const health = candidate.health?.()
  // Of one that does not fail, what the leader before said holds.
  const failing = health !== undefined && health.failures > 0 ? health : undefined
  const lease = await candidate.store.acquireLease(candidate.projection, candidate.holder, LEASE_MS, failing)
  return lease === null ? null : keepLease(candidate, lease)
}

/** Asks for a projection even if leadership is balanced. `null` when the leader is too busy to hand it over. */
export async function demandLeadership(candidate: Candidate): Promise<Leadership | null> {
  const transfer = new LeadershipTransfer(candidate.store, candidate.holder)
  return (await transfer.request(candidate.projection, true)) ? awaitHandOver(candidate, transfer) : null
}

/** `null` when the leader is too busy to hand it over. */
async function awaitHandOver(candidate: Candidate, transfer: LeadershipTransfer): Promise<Leadership | null> {
  const { projection, signal } = candidate
  let leadership: Leadership | null = null
  try {
    const until = performance.now() + HAND_OVER_MS
    while (leadership === null && performance.now() < until && !signal.aborted) {
      leadership = await tryLead(candidate)
      if (leadership === null) await delay(HAND_OVER_POLL_MS, undefined, { signal }).catch(() => {})
    }
    return leadership
  } finally {
    await releaseOnError(leadership, () => transfer.withdraw(projection))
  }
}

/** A lease that its holder does not know of would be renewed for ever, and no process could lead. */
export async function releaseOnError(leadership: Leadership | null, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await leadership?.release().catch(() => {})
    throw error
  }
}

/** After a hand-over: gives the other projector time to take the lease. */
export const waitForSuccessor = (signal: AbortSignal): Promise<void> => delay(RENEW_MS, undefined, { signal }).catch(() => {})

function keepLease({ store, signal, health }: Candidate, { health: healthBefore, ...lease }: AcquiredLease): Leadership {
  const ended = new AbortController()
  let ttlMs = LEASE_MS
  const renew = async () => {
    if (!(await store.renewLease(lease, ttlMs, health?.()))) stop()
  }
  // An error of the store is not a lost lease: commits are fenced, and the next renewal will tell.
  const renewOrWait = () => void renew().catch(() => {})
  const renewal = setInterval(renewOrWait, RENEW_MS)
  renewal.unref()
  const stop = () => {
    clearInterval(renewal)
    signal.removeEventListener('abort', stop)
    ended.abort()
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  return {
    lease,
    ended: ended.signal,
    async withLongLease(work) {
      ttlMs = LONG_LEASE_MS
      try {
        await renew()
        await work()
      } finally {
        ttlMs = LEASE_MS
        await renew()
      }
    },
    healthBefore,
    sayHealth: () => ended.signal.aborted || renewOrWait(),
    async release() {
      stop()
      await store.releaseLease(lease, health?.())
    },
  }
}

const KIND = 'hand-over'
/** Hand over only at this difference: with a smaller one, projections would go back and forth. */
const MIN_SURPLUS = 2

/**
 * Spreads the projections over the projectors of a store. A projector that leads at least two fewer than the leader of a
 * projection stores a control record, and that leader hands the projection over between two batches.
 */
export class LeadershipTransfer {
  readonly #store: DocumentStore
  readonly #holder: string
  /** One at a time: a hand-over under way is not in the leases yet. */
  #requested: string | null = null

  constructor(store: DocumentStore, holder: string) {
    this.#store = store
    this.#holder = holder
  }

  /** Asks for a projection; unless `always`, only if that evens leadership out. Whether it was requested. */
  async request(projection: string, always = false): Promise<boolean> {
    if (this.#requested !== null) return false
    this.#requested = projection
    const request = { kind: KIND, id: projection, revision: 0, value: { to: this.#holder } }
    try {
      if ((always || (await this.#wouldEvenOut(projection))) && (await this.#store.putControlRecord(request)) !== null) return true
    } catch {
      // The store: it is asked again.
    }
    this.#requested = null
    return false
  }

  /** The hand-over is done, or took too long. */
  async withdraw(projection: string): Promise<void> {
    if (this.#requested !== projection) return
    this.#requested = null
    await this.#store.deleteControlRecord(KIND, projection)
  }

  /**
   * Whether another projector has asked for a projection that this one leads. A request counts once, granted or not: the
   * other projector may have stopped.
   */
  async takeRequest(projection: string): Promise<boolean> {
    const requested = (await this.#store.controlRecords(KIND)).some(({ id }) => id === projection)
    if (requested) await this.#store.deleteControlRecord(KIND, projection)
    return requested
  }

  async #wouldEvenOut(projection: string): Promise<boolean> {
    const leases = await heldLeases(this.#store)
    const leads = (holder: string) => leases.filter((lease) => lease.holder === holder).length
    const leader = leases.find((lease) => lease.projection === projection)?.holder
    return leader !== undefined && leads(leader) - leads(this.#holder) >= MIN_SURPLUS
  }
}
