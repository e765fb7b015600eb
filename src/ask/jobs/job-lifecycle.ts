/** Decides which events follow a command. Pure: the time is an argument, and nothing is random. */

import type { KeptWords } from '../../operations/words-read.js'
import type { StreamName } from '../../ports/event-store.js'
import type { Question } from '../request.js'
import type { AskResponse } from '../response.js'
import type { AskJob, AskJobEvent } from './job-events.js'

export type AskJobCommand =
  | { type: 'request'; question: Question; caller?: string; network?: string; keyStream?: StreamName }
  | { type: 'claim'; worker: string; leaseMs: number }
  | ({ type: 'complete'; attempt: number; result: AskResponse } & Partial<KeptWords>)
  | { type: 'give up'; attempt: number; reason: string }

export const MAX_ATTEMPTS = 5

/** The caller has long stopped polling. */
export const MAX_JOB_AGE_MS = 3_600_000

/** How far apart the clocks of a cluster may be. */
const MAX_CLOCK_SKEW_MS = 60_000

/** The events that carry out a command; none if it comes too late or too early. */
export function decide(command: AskJobCommand, job: AskJob | null, now: number): AskJobEvent[] {
  if (command.type === 'request') {
    const { type: _, ...data } = command
    return job === null ? [{ type: 'requested', data }] : []
  }
  if (job === null) return []
  switch (command.type) {
    case 'claim':
      return claim(job, command.worker, command.leaseMs, now)
    case 'complete': {
      const { type: _, ...data } = command
      return isRunning(job, command.attempt) ? [{ type: 'completed', data }] : []
    }
    case 'give up':
      return isRunning(job, command.attempt) ? failAttempt(command.attempt, command.reason) : []
  }
}

/** When a claim can succeed; `null` for a finished job. */
export function claimableAt(job: AskJob, now: number): number | null {
  if (job.status !== 'queued' && job.status !== 'running') return null
  // The clock was set back, so its age is unknown. Even if a worker still has it, it ends only once.
  if (job.updatedAt - now > MAX_CLOCK_SKEW_MS) return now
  return job.status === 'queued' ? job.notBefore : job.leaseUntil
}

function claim(job: AskJob, worker: string, leaseMs: number, now: number): AskJobEvent[] {
  const from = claimableAt(job, now)
  if (from === null || now < from) return []
  const expired: AskJobEvent[] = job.status === 'running' ? [{ type: 'lease_expired', data: { attempt: job.attempts } }] : []
  if (job.attempts >= MAX_ATTEMPTS) return [...expired, FAILED_EXHAUSTED]
  if (now - job.createdAt > MAX_JOB_AGE_MS) return [...expired, FAILED_TOO_OLD]
  return [...expired, { type: 'started', data: { attempt: job.attempts + 1, worker, leaseMs } }]
}

function failAttempt(attempt: number, reason: string): AskJobEvent[] {
  const failure = (retryInMs: number): AskJobEvent => ({ type: 'attempt_failed', data: { attempt, reason, retryInMs } })
  return attempt < MAX_ATTEMPTS ? [failure(retryDelayMs(attempt))] : [failure(0), FAILED_EXHAUSTED]
}

/** 1 s, 4 s, 16 s, 64 s. */
const retryDelayMs = (attempt: number): number => 1000 * 4 ** (attempt - 1)

const isRunning = (job: AskJob, attempt: number): boolean => job.status === 'running' && job.attempts === attempt

const FAILED_EXHAUSTED: AskJobEvent = {
  type: 'failed',
  data: { error: 'internal_error', message: `The question could not be answered in ${MAX_ATTEMPTS} attempts. Ask again later.` },
}

const FAILED_TOO_OLD: AskJobEvent = {
  type: 'failed',
  data: { error: 'timeout', message: 'There was no answer within an hour. Ask again.' },
}
