import type { FastifyInstance } from 'fastify'
import { type AskJobs, KeyReusedError, type SubmittedJob } from '../../ask/jobs/ask-jobs.js'
import { type AskJob, isFinished } from '../../ask/jobs/job-events.js'
import { QuotaExceededError } from '../../ask/jobs/job-quota.js'
import { type Question, toQuestion } from '../../ask/request.js'
import type { AsyncAskJob, AsyncAskJobStatus } from '../../ask/response.js'
import { POLL_AFTER_S } from '../../contract/caller-limits.js'
import { codeOf, notFound, ServiceError, statusOf } from '../../contract/errors.js'
import { isoTime } from '../../events/index.js'
import type { IdempotentRequest } from '../../ports/reply-store.js'
import { idempotentRequest, keyReusedError, REPLAYED_HEADER } from '../plugins/idempotency.js'
import { callerOf, networkOf } from '../rate-limit/client-key.js'
import { jobCost } from '../rate-limit/costs.js'

const PATH = '/ask/jobs'

/** Questions answered in the background: submit, then poll. */
export function serveAskJobs(app: FastifyInstance, jobs: AskJobs, webUrl: string): void {
  const urlOf = (id: string): string => `${webUrl}${PATH}/${id}`

  app.post(PATH, { config: { kind: 'job', cost: ({ body }) => jobCost(body) } }, async (request, reply) => {
    const question = toQuestion(request.body, { acceptLanguage: request.headers['accept-language'] })
    const { id, job, replayed } = await requestJob(jobs, question, callerOf(request), idempotentRequest(request))
    if (replayed) reply.header(REPLAYED_HEADER, 'true')
    return reply
      .status(202)
      .headers({ Location: urlOf(id), 'Retry-After': POLL_AFTER_S, 'Cache-Control': 'no-store' })
      .send(acceptedJob(id, urlOf(id), job))
  })

  app.get<{ Params: { jobId: string } }>(`${PATH}/:jobId`, { config: { kind: 'job' } }, async (request, reply) => {
    const { jobId } = request.params
    const job = await jobs.find(jobId)
    if (job === null) throw notFound('There is no ask job with this id, or it is more than a day old.')
    if (!isFinished(job)) reply.header('Retry-After', POLL_AFTER_S)
    return reply.header('Cache-Control', 'no-store').send(jobStatus(jobId, urlOf(jobId), job))
  })
}

async function requestJob(jobs: AskJobs, question: Question, caller: string, key: IdempotentRequest | undefined): Promise<SubmittedJob> {
  try {
    return await jobs.submit(question, key, caller, networkOf(caller))
  } catch (error) {
    if (error instanceof QuotaExceededError) throw quotaExceeded(error)
    throw error instanceof KeyReusedError ? keyReusedError() : error
  }
}

function quotaExceeded({ message, retryAfterS }: QuotaExceededError): ServiceError {
  return new ServiceError('rate_limited', `${message} They expire after a day: wait ${retryAfterS} s.`, { retryAfterS })
}

/** The job as submitted, so that a repeated request gets the same reply in any later state. */
const acceptedJob = (id: string, url: string, { createdAt }: AskJob): AsyncAskJob => ({
  job_id: id,
  status: 'queued',
  status_url: url,
  created_at: isoTime(createdAt),
  updated_at: isoTime(createdAt),
})

const jobStatus = (id: string, url: string, job: AskJob): AsyncAskJobStatus => ({
  ...acceptedJob(id, url, job),
  status: job.status,
  updated_at: isoTime(job.updatedAt),
  ...(job.status === 'completed' ? { result: job.result } : {}),
  ...(job.status === 'failed' ? { error: { code: codeOf(statusOf(job.error)), error: job.error, message: job.message } } : {}),
})
