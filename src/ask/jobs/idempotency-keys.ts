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

const ClaimData = z.object({ jobId: z.string(), fingerprint: z.string() })

export interface KeyClaim extends z.infer<typeof ClaimData> {
  stream: StreamName
}

const RELEASED = 'released'

/**
 * Binds a key to a job, unless it is bound already; returns the job it is bound to. The second caller gets the job of
 * the first, in any process.
 *
 * `mayClaim` is called before it is bound, and throws where no job is accepted. A stream whose events have expired is never used again, so there is one for each day, and yesterday's counts too.
 */
export async function claimKey(
  store: EventStore,
  { scope, fingerprint }: JobKey,
  jobId: string,
  now: number,
  mayClaim: () => void = () => {},
): Promise<KeyClaim> {
  const today = Math.floor(now / (RETENTION_S * 1000))
  const earlier = await readKey(store, keyStream(scope, today - 1))
  if (earlier.claim !== null) return earlier.claim
  const stream = keyStream(scope, today)
  const { claim, revision } = await readKey(store, stream)
  if (claim !== null) return claim
  mayClaim()
  try {
    await store.append(stream, [{ id: randomUUID(), type: 'claimed', data: { jobId, fingerprint } }], revision ?? 'no stream')
    return { jobId, fingerprint, stream }
  } catch (error) {
    const first = error instanceof WrongRevisionError ? (await readKey(store, stream)).claim : null
    if (first === null) throw error
    return first
  }
}

/** The job of a key is erased: the key starts a new one. Can be repeated: a job that was started meanwhile keeps the key. */
export async function releaseKey(store: EventStore, stream: StreamName, jobId: string): Promise<void> {
  const { claim, revision } = await readKey(store, stream)
  if (claim?.jobId !== jobId || revision === null) return
  try {
    await store.append(stream, [{ id: randomUUID(), type: RELEASED, data: {} }], revision)
  } catch (error) {
    // Another process has released it.
    if (!(error instanceof WrongRevisionError)) throw error
  }
}

/** The last event counts. `revision` is `null` where there is none. */
async function readKey(store: EventStore, stream: StreamName): Promise<{ claim: KeyClaim | null; revision: number | null }> {
  const last = (await store.read(stream)).at(-1)
  const data = last === undefined || last.type === RELEASED ? undefined : ClaimData.safeParse(last.data).data
  return { claim: data === undefined ? null : { ...data, stream }, revision: last?.revision ?? null }
}

const keyStream = (scope: string, day: number): StreamName => `${KEY_CATEGORY}-${day}-${scope}`
