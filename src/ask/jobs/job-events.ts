/** The events of an ask job, and the state they add up to. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ERROR_NAMES, type ErrorName } from '../../contract/errors.js'
import type { KeptWords } from '../../operations/words-read.js'
import type { NewStreamEvent, StreamEvent, StreamName } from '../../ports/event-store.js'
import type { Question } from '../request.js'
import type { AskResponse } from '../response.js'

export const JOB_CATEGORY = 'askjob'
export const KEY_CATEGORY = 'askkey'
export const RETENTION_S = 86_400
/** Jobs and their keys expire after a day. */
export const MAX_AGES = { [JOB_CATEGORY]: RETENTION_S, [KEY_CATEGORY]: RETENTION_S }

const attempt = z.int().positive()
/** Whose words were read for the answer. Older releases did not store it. */
const subjects = z.custom<KeptWords['subjects']>(Array.isArray).optional()

/** Questions and answers were validated before; here they are only stored. */
const AskJobEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('requested'),
    data: z.object({
      question: z.custom<Question>(isObject),
      /** A keyed hash, which only tells callers apart. */
      caller: z.string().optional(),
      /** The same, of the network of an IPv6 caller. */
      network: z.string().optional(),
      /** The stream of its idempotency key. */
      keyStream: z.custom<StreamName>((value) => typeof value === 'string').optional(),
    }),
  }),
  z.object({ type: z.literal('started'), data: z.object({ attempt, worker: z.string(), leaseMs: z.number() }) }),
  z.object({ type: z.literal('lease_expired'), data: z.object({ attempt }) }),
  z.object({ type: z.literal('attempt_failed'), data: z.object({ attempt, reason: z.string(), retryInMs: z.number() }) }),
  z.object({ type: z.literal('completed'), data: z.object({ attempt, result: z.custom<AskResponse>(isObject), subjects }) }),
  z.object({ type: z.literal('failed'), data: z.object({ error: z.enum(ERROR_NAMES), message: z.string() }) }),
])
export type AskJobEvent = z.infer<typeof AskJobEvent>

interface JobFields {
  question: Question
  caller?: string | undefined
  keyStream?: StreamName | undefined
  createdAt: number
  updatedAt: number
  /** How many times a worker has begun to answer. */
  attempts: number
}

export interface Queued extends JobFields {
  status: 'queued'
  /** The next attempt is not before this time. */
  notBefore: number
}

export interface Running extends JobFields {
  status: 'running'
  worker: string
  /** From then on, another worker may take over. */
  leaseUntil: number
}

interface Completed extends JobFields, Partial<KeptWords> {
  status: 'completed'
  result: AskResponse
}

interface Failed extends JobFields {
  status: 'failed'
  error: ErrorName
  message: string
}

export type AskJob = Queued | Running | Completed | Failed

export const isFinished = ({ status }: AskJob): boolean => status === 'completed' || status === 'failed'

/** The state after one more event, recorded at a given time; `null` before the first. Pure. */
export function evolve(job: AskJob | null, event: AskJobEvent, recordedAt: number): AskJob | null {
  if (event.type === 'requested') {
    return job ?? { status: 'queued', ...event.data, createdAt: recordedAt, updatedAt: recordedAt, attempts: 0, notBefore: recordedAt }
  }
  if (job === null || isFinished(job)) return job
  const { question, caller, keyStream, createdAt, attempts } = job
  const origin = { ...(caller === undefined ? {} : { caller }), ...(keyStream === undefined ? {} : { keyStream }) }
  const known: JobFields = { question, ...origin, createdAt, attempts, updatedAt: recordedAt }
  switch (event.type) {
    case 'started': {
      const { worker, leaseMs } = event.data
      return { ...known, status: 'running', attempts: event.data.attempt, worker, leaseUntil: recordedAt + leaseMs }
    }
    case 'lease_expired':
      return { ...known, status: 'queued', notBefore: recordedAt }
    case 'attempt_failed':
      return { ...known, status: 'queued', notBefore: recordedAt + event.data.retryInMs }
    case 'completed': {
      const { attempt: _, ...answered } = event.data
      return { ...known, status: 'completed', ...answered }
    }
    case 'failed':
      return { ...known, status: 'failed', error: event.data.error, message: event.data.message }
  }
}

/** `null` for a job that does not exist, or whose first events have expired. */
export function replay(history: readonly StreamEvent[]): AskJob | null {
  if (history[0]?.revision !== 0) return null
  let job: AskJob | null = null
  for (const recorded of history) {
    const event = parseJobEvent(recorded)
    if (event !== null) job = evolve(job, event, recorded.recordedAt)
  }
  return job
}

/** An event as those hear of it who follow the jobs. */
export interface JobEvent {
  jobId: string
  revision: number
  recordedAt: number
  /** `null` for a type this version does not know. */
  event: AskJobEvent | { type: typeof ERASED } | null
}

export function decodeJobEvent({ stream, revision, recordedAt, type, data }: StreamEvent): JobEvent {
  if (type === ERASED) return { jobId: String(data.jobId), revision, recordedAt, event: { type } }
  return { jobId: stream.slice(JOB_CATEGORY.length + 1), revision, recordedAt, event: parseJobEvent({ type, data }) }
}

/** `null` for a type this version does not know, which cannot change the state it computes. */
export function parseJobEvent({ type, data }: Pick<StreamEvent, 'type' | 'data'>): AskJobEvent | null {
  return AskJobEvent.safeParse({ type, data }).data ?? null
}

export const toStreamEvent = ({ type, data }: AskJobEvent): NewStreamEvent => ({ id: randomUUID(), type, data: { ...data } })

export const jobStream = (jobId: string): StreamName => `${JOB_CATEGORY}-${jobId}`

/** Says that a job was erased, in a stream of its own, because the job's stream is gone. */
export const ERASED = 'erased'

export const erasureStream = (jobId: string): StreamName => `${JOB_CATEGORY}-erased-${jobId}`

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
