import { setTimeout as delay } from 'node:timers/promises'
import type { DocumentStore, Lease, RunStep } from '../../ports/document-store.js'
import { LeadershipTransfer } from './leadership-transfer.js'

/** A leader that is silent this long has lost its place. */
const LEASE_MS = 3000
const RENEW_MS = 1000
/** A projection that is being handed over is waited for like this, so that it hardly stands still. */
const HAND_OVER_POLL_MS = 25
/** Longer than a leader takes to see a note, if it has time for it at all. */
const HAND_OVER_MS = 1500
/** For work that blocks the thread, such as building one index. Also how long a leader that dies there is waited for. */
const LONG_LEASE_MS = 60_000

export interface Leadership {
  lease: Lease
  /** Aborts when the lease is lost or given up, and when the work is to end. */
  ended: AbortSignal
  /** Does work that blocks this thread for long, under a lease to match. */
  withLongLease: RunStep
  release(): Promise<void>
}

/**
 * Waits until this holder leads the projection, and asks for it if it has a claim; `isFit` is asked before every try.
 * `null` when the signal aborts first, or when leading is no longer for this holder.
 */
export async function awaitLeadership(
  store: DocumentStore,
  projection: string,
  holder: string,
  signal: AbortSignal,
  transfer: LeadershipTransfer | null,
  isFit: () => Promise<boolean>,
): Promise<Leadership | null> {
  for (;;) {
    if (signal.aborted || !(await isFit())) return null
    const lease =
      (await store.acquireLease(projection, holder, LEASE_MS)) ??
      (transfer && (await transfer.requestIfUneven(projection)) ? await awaitHandOver(store, projection, holder, signal, transfer) : null)
    if (lease !== null) return keepLease(store, lease, signal)
    await delay(RENEW_MS, undefined, { signal }).catch(() => {})
  }
}

/** `null` while somebody else leads. */
export async function tryLead(store: DocumentStore, projection: string, holder: string, signal: AbortSignal): Promise<Leadership | null> {
  const lease = await store.acquireLease(projection, holder, LEASE_MS)
  return lease === null ? null : keepLease(store, lease, signal)
}

/** Asks for a projection however many each leads. `null` when the leader has no time to hand it over. */
export async function demandLeadership(
  store: DocumentStore,
  projection: string,
  holder: string,
  signal: AbortSignal,
): Promise<Leadership | null> {
  const transfer = new LeadershipTransfer(store, holder)
  if (!(await transfer.request(projection))) return null
  const lease = await awaitHandOver(store, projection, holder, signal, transfer)
  return lease === null ? null : keepLease(store, lease, signal)
}

/** After it was asked for. `null` when the leader has no time to hand it over. */
async function awaitHandOver(
  store: DocumentStore,
  projection: string,
  holder: string,
  signal: AbortSignal,
  transfer: LeadershipTransfer,
): Promise<Lease | null> {
  try {
    const until = performance.now() + HAND_OVER_MS
    while (performance.now() < until && !signal.aborted) {
      const lease = await store.acquireLease(projection, holder, LEASE_MS)
      if (lease !== null) return lease
      await delay(HAND_OVER_POLL_MS, undefined, { signal }).catch(() => {})
    }
    return null
  } finally {
    await transfer.withdraw(projection)
  }
}

/** After a projection was handed over: whoever asked for it gets the time to take it. */
export const waitForSuccessor = (signal: AbortSignal): Promise<void> => delay(RENEW_MS, undefined, { signal }).catch(() => {})

function keepLease(store: DocumentStore, lease: Lease, signal: AbortSignal): Leadership {
  const over = new AbortController()
  const renewal = setInterval(async () => {
    // An error of the store is no loss yet: commits are fenced, and the next renewal tells.
    const kept = await store.renewLease(lease, LEASE_MS).catch(() => true)
    if (!kept) stop()
  }, RENEW_MS)
  renewal.unref()
  const stop = () => {
    clearInterval(renewal)
    signal.removeEventListener('abort', stop)
    over.abort()
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  return {
    lease,
    ended: over.signal,
    async withLongLease(work) {
      if (!(await store.renewLease(lease, LONG_LEASE_MS))) stop()
      try {
        await work()
      } finally {
        if (!(await store.renewLease(lease, LEASE_MS))) stop()
      }
    },
    async release() {
      stop()
      await store.releaseLease(lease)
    },
  }
}
