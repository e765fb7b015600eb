/** Idempotency keys of ask jobs. They are events, so that all processes share them and they survive a restart. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type EventStore, type StreamName, WrongRevisionError } from '../../ports/event-store.js'
import { KEY_CATEGORY, RETENTION_S } from './job-events.js'

export interface JobKey {
  /** Derived from the caller and the key; not the key itself. Letters, digits, `-` and `_`. */
  scope: string
  /** Of the payload sent with the key. */
  fingerprint: string
}

const KeyClaim = z.object({ jobId: z.string(), fingerprint: z.string() })
export type KeyClaim = z.infer<typeof KeyClaim>

/**
 * Binds a key to a job, unless it is bound already; returns the job it is bound to. The second caller gets the job of
 * the first, in any process.
 *
 * A stream whose events have expired is never used again, so there is one for each day, and yesterday's counts too.
 */
export async function claimKey(store: EventStore, { scope, fingerprint }: JobKey, jobId: string, now: number): Promise<KeyClaim> {
  const today = Math.floor(now / (RETENTION_S * 1000))
  const earlier = await readClaim(store, keyStream(scope, today - 1))
  if (earlier !== null) return earlier
  const stream = keyStream(scope, today)
  try {
    await store.append(stream, [{ id: randomUUID(), type: 'claimed', data: { jobId, fingerprint } }], 'no stream')
    return { jobId, fingerprint }
  } catch (error) {
    const first = error instanceof WrongRevisionError ? await readClaim(store, stream) : null
    if (first === null) throw error
    return first
  }
}

async function readClaim(store: EventStore, stream: StreamName): Promise<KeyClaim | null> {
  const [first] = await store.read(stream)
  return KeyClaim.safeParse(first?.data).data ?? null
}

const keyStream = (scope: string, day: number): StreamName => `${KEY_CATEGORY}-${day}-${scope}`
