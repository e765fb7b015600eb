import { setTimeout as delay } from 'node:timers/promises'
import type { Around, DocumentStore, Lease } from '../ports/document-store.js'

/** A leader that is silent this long has lost its place. */
const LEASE_MS = 3000
const RENEW_MS = 1000
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

/** Waits until this holder leads the projection; `tried` is called before every try. `null` when the signal aborts first. */
export async function lead(
  store: DocumentStore,
  projection: string,
  holder: string,
  signal: AbortSignal,
  tried: () => void = () => {},
): Promise<Leadership | null> {
  for (;;) {
    tried()
    if (signal.aborted) return null
    const lease = await store.acquireLease(projection, holder, LEASE_MS)
    if (lease !== null) return keep(store, lease, signal)
    await delay(RENEW_MS, undefined, { signal }).catch(() => {})
  }
}

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
