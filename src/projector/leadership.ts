import { setTimeout as delay } from 'node:timers/promises'
import type { Around, DocumentStore, Lease } from '../ports/document-store.js'
import type { Shares } from './shares.js'

/** A leader that is silent this long has lost its place. */
const LEASE_MS = 3000
const RENEW_MS = 1000
/** A projection that is being handed over is waited for like this, so that it hardly stands still. */
const HAND_OVER_LOOK_MS = 25
/** Longer than a leader takes to see a note, if it has time for it at all. */
const HAND_OVER_MS = 1500
/** For work that blocks the thread, such as building one index. Also how long a leader that dies there is waited for. */
const LONG_LEASE_MS = 60_000

export interface Leadership {
  lease: Lease
  /** Aborts when the lease is lost or given up, and when the work is to end. */
  over: AbortSignal
  /** Does work that blocks this thread for long, under a lease to match. */
  patiently: Around
  release(): Promise<void>
}

/**
 * Waits until this holder leads the projection, and asks for it if it has a claim; `tried` is called before every try.
 * `null` when the signal aborts first.
 */
export async function lead(
  store: DocumentStore,
  projection: string,
  holder: string,
  signal: AbortSignal,
  shares: Shares | null,
  tried: () => void = () => {},
): Promise<Leadership | null> {
  for (;;) {
    tried()
    if (signal.aborted) return null
    const lease =
      (await store.acquireLease(projection, holder, LEASE_MS)) ?? (shares && (await askFor(store, projection, holder, signal, shares)))
    if (lease !== null) return keep(store, lease, signal)
    await delay(RENEW_MS, undefined, { signal }).catch(() => {})
  }
}

/** `null` when there is no claim, or when the leader has no time to hand it over. */
async function askFor(
  store: DocumentStore,
  projection: string,
  holder: string,
  signal: AbortSignal,
  shares: Shares,
): Promise<Lease | null> {
  if (!(await shares.ask(projection))) return null
  try {
    const until = performance.now() + HAND_OVER_MS
    while (performance.now() < until && !signal.aborted) {
      const lease = await store.acquireLease(projection, holder, LEASE_MS)
      if (lease !== null) return lease
      await delay(HAND_OVER_LOOK_MS, undefined, { signal }).catch(() => {})
    }
    return null
  } finally {
    await shares.asked(projection)
  }
}

/** After a projection was handed over: whoever asked for it gets the time to take it. */
export const stepBack = (signal: AbortSignal): Promise<void> => delay(RENEW_MS, undefined, { signal }).catch(() => {})

function keep(store: DocumentStore, lease: Lease, signal: AbortSignal): Leadership {
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
    over: over.signal,
    async patiently(work) {
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
