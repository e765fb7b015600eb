import { POLL_AFTER_S } from '../contract/caller-limits.js'
import { isPathSegment, pathSegment } from './addresses.js'
import type { AskResponse, AsyncAskJob, AsyncAskJobStatus } from './api.js'
import { askRequest, isAnswer, type Question } from './ask.js'
import { ApiError, apiErrorIn, ConnectionError, UnexpectedAnswerError } from './errors.js'
import type { CallOptions, PostOptions } from './options.js'
import type { Http } from './transport/http.js'
import { isObject } from './transport/json.js'
import { newKey } from './transport/post-headers.js'
import { wholeNumber } from './transport/response-info.js'

export interface WaitForJobOptions extends CallOptions {
  /** Called with every status that was polled. */
  onStatus?: ((job: AsyncAskJobStatus) => void) | undefined
}

export interface AskJobOptions extends WaitForJobOptions, PostOptions {}

/** Questions that are answered in the background. */
export class AskJobs {
  readonly #http: Http
  readonly #url: string

  constructor(http: Http, url: string) {
    this.#http = http
    this.#url = url
  }

  /** With a key, a request that is repeated because its answer got lost does not ask twice. */
  async create(question: Question, options: PostOptions): Promise<AsyncAskJob> {
    const request = askRequest(this.#url, question, { ...options, idempotencyKey: options.idempotencyKey ?? newKey() })
    const { body } = await this.#http.json(request, options)
    return jobIn(body)
  }

  async status(jobId: string, options: CallOptions): Promise<AsyncAskJobStatus> {
    return (await this.#poll(jobId, options)).job
  }

  async run(question: Question, options: AskJobOptions): Promise<AskResponse> {
    const created = await this.create(question, options)
    options.onStatus?.(created)
    return this.#finish(created.job_id, options, POLL_AFTER_S * 1000)
  }

  /** Looks at once, then as often as the service allows. */
  wait(jobId: string, options: WaitForJobOptions): Promise<AskResponse> {
    return this.#finish(jobId, options, 0)
  }

  async #finish(jobId: string, options: WaitForJobOptions, firstPauseMs: number): Promise<AskResponse> {
    const { maxWaitMs, maxJobMs, wait } = this.#http
    let leftMs = maxJobMs
    for (let pauseMs = firstPauseMs; leftMs > 0; ) {
      const began = performance.now()
      if (pauseMs > 0) await wait(Math.min(pauseMs, leftMs), options.signal)
      const { job, retryAfterS } = await this.#poll(jobId, options)
      options.onStatus?.(job)
      if (job.status === 'failed') throw failureOf(job)
      if (job.status === 'completed') return resultOf(job)
      leftMs -= Math.max(pauseMs, performance.now() - began)
      pauseMs = Math.max(POLL_AFTER_S * 1000, Math.min((retryAfterS ?? 0) * 1000, maxWaitMs))
    }
    throw new ConnectionError(`the job ${jobId} is not done within ${maxJobMs} ms: waitForAskJob goes on with it`)
  }

  /** By its id, not by the address in the answer: a client talks to the hosts it was given. */
  async #poll(jobId: string, options: CallOptions): Promise<{ job: AsyncAskJobStatus; retryAfterS: number | null }> {
    const { body, headers } = await this.#http.json({ method: 'GET', url: `${this.#url}/${pathSegment('jobId', jobId)}` }, options)
    return { job: jobIn(body), retryAfterS: wholeNumber(headers, 'retry-after') }
  }
}

function jobIn(body: unknown): AsyncAskJobStatus {
  if (!isJob(body)) throw new UnexpectedAnswerError('the answer is not an ask job: it has no id or no status', 200)
  return body
}

const isJob = (body: unknown): body is AsyncAskJobStatus =>
  isObject(body) && typeof body.job_id === 'string' && isPathSegment(body.job_id) && typeof body.status === 'string'

function resultOf({ job_id: id, result }: AsyncAskJobStatus): AskResponse {
  if (!isAnswer(result)) throw new UnexpectedAnswerError(`the completed job ${id} has no result`, 200)
  return result
}

const failureOf = ({ job_id: id, error }: AsyncAskJobStatus): ApiError =>
  apiErrorIn(error) ??
  new ApiError({ status: 500, code: 50_000, error: 'internal_error', message: `the job ${id} failed`, requestId: null })
