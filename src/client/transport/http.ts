import type { ServiceStatus } from '../api.js'
import { ApiError, apiErrorOf, UnexpectedAnswerError } from '../errors.js'
import type { CallOptions, ClientOptions } from '../options.js'
import { Exchange } from './exchange.js'
import { isObject, parsedJson } from './json.js'
import { responseInfo } from './response-info.js'
import { delayAfter, isServerFailure, MAX_ATTEMPTS, mayRetry } from './retry.js'
import { wait } from './wait.js'

export interface Request {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
}

const MAX_ERROR_BYTES = 64 * 1024
const STATUS_TIMEOUT_MS = 5000

/** Sends requests, and sends them again as the policy of the service says. */
export class Http {
  readonly maxBytes: number
  readonly maxWaitMs: number
  readonly maxPages: number
  readonly maxJobMs: number
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly #options: ClientOptions
  readonly #statusUrl: string
  readonly #maxAttempts: number
  readonly #timeoutMs: number
  readonly #random: () => number

  constructor(options: ClientOptions, statusUrl: string) {
    this.#options = options
    this.#statusUrl = statusUrl
    this.#maxAttempts = Math.min(positive('maxAttempts', options.maxAttempts, MAX_ATTEMPTS), MAX_ATTEMPTS)
    this.maxWaitMs = positive('maxWaitMs', options.maxWaitMs, 60_000)
    this.#timeoutMs = positive('timeoutMs', options.timeoutMs, 30_000)
    this.#random = options.random ?? Math.random
    this.maxBytes = positive('maxBytes', options.maxBytes, 16 * 1024 * 1024)
    this.maxPages = positive('maxPages', options.maxPages, 10_000)
    this.maxJobMs = positive('maxJobMs', options.maxJobMs, 2 * 60 * 60 * 1000)
    this.wait = options.wait ?? wait
  }

  /** The JSON of a success, and its headers. */
  json(request: Request, options: CallOptions = {}): Promise<{ body: unknown; headers: Headers }> {
    return this.#retried(request, options, (response, exchange) => this.#readJson(response, exchange))
  }

  /** A success whose body is still to be read. The caller ends the exchange. */
  stream(request: Request, options: CallOptions = {}): Promise<{ response: Response; exchange: Exchange }> {
    return this.#retried(request, options, async (response, exchange) => ({ response, exchange }))
  }

  async #retried<T>(request: Request, options: CallOptions, read: (response: Response, exchange: Exchange) => Promise<T>): Promise<T> {
    const init = this.#init(request, options)
    let service: ServiceStatus | null = null
    let serverFailures = 0
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request, init, options, attempt, read)
      } catch (failure) {
        if (!mayRetry(failure)) throw failure
        serverFailures = isServerFailure(failure) ? serverFailures + 1 : 0
        // The service asks callers to look there when failures go on.
        if (serverFailures === 2) service = await this.#consultStatus(options)
        if (failure instanceof ApiError) failure.service = service
        const delay = delayAfter(failure, attempt, this.#random)
        if (attempt >= this.#maxAttempts || delay > this.maxWaitMs) throw failure
        await this.wait(delay, options.signal)
      }
    }
  }

  async #attempt<T>(
    { method, url }: Request,
    init: RequestInit,
    options: CallOptions,
    attempt: number,
    read: (response: Response, exchange: Exchange) => Promise<T>,
  ): Promise<T> {
    const exchange = new Exchange(positive('timeoutMs', options.timeoutMs, this.#timeoutMs), options.signal)
    try {
      const response = await exchange.fetch((signal) => this.#fetch(url, { ...init, signal }))
      this.#options.onResponse?.(responseInfo(method, url, attempt, response))
      refuseRedirect(response)
      if (response.status >= 400) throw apiErrorOf(response, await this.#errorBody(response, exchange, options.signal))
      if (!response.ok) throw new UnexpectedAnswerError(`the answer has the status ${response.status}`, response.status)
      return await read(response, exchange)
    } catch (error) {
      exchange.end()
      throw error
    }
  }

  /** Called through the global object: browsers refuse a `fetch` that was taken from it. */
  #fetch(url: string, init: RequestInit): Promise<Response> {
    return this.#options.fetch === undefined ? globalThis.fetch(url, init) : this.#options.fetch(url, init)
  }

  #init({ method, headers, body }: Request, options: CallOptions): RequestInit {
    const all = new Headers({ accept: 'application/json', ...this.#options.headers, ...options.headers, ...headers })
    // Not `error`, which some edge runtimes do not have.
    const init: RequestInit = { method, headers: all, redirect: 'manual' }
    if (body === undefined) return init
    all.set('content-type', 'application/json')
    return { ...init, body: JSON.stringify(body) }
  }

  async #readJson(response: Response, exchange: Exchange): Promise<{ body: unknown; headers: Headers }> {
    const { status, headers } = response
    const type = headers.get('content-type') ?? 'of no type'
    const body = /[/+]json\b/i.test(type) ? parsedJson(await textOf(response, exchange, this.maxBytes)) : undefined
    exchange.end()
    if (body === undefined) throw new UnexpectedAnswerError(`the answer is not JSON but ${type}`, status)
    return { body, headers }
  }

  /** The status says what happened, so a body that cannot be read changes nothing. */
  async #errorBody(response: Response, exchange: Exchange, signal: AbortSignal | undefined): Promise<unknown> {
    const text = await textOf(response, exchange, MAX_ERROR_BYTES).catch(() => null)
    signal?.throwIfAborted()
    return text === null ? null : parsedJson(text)
  }

  /** Tried once: whether it can be read or not, the request is repeated. */
  async #consultStatus({ signal }: CallOptions): Promise<ServiceStatus | null> {
    try {
      const request: Request = { method: 'GET', url: this.#statusUrl }
      const options = { signal, timeoutMs: STATUS_TIMEOUT_MS }
      const { body } = await this.#attempt(request, this.#init(request, options), options, 1, (response, exchange) =>
        this.#readJson(response, exchange),
      )
      return isServiceStatus(body) ? body : null
    } catch {
      signal?.throwIfAborted()
      return null
    }
  }
}

function positive(name: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise
  if (!(value > 0)) throw new RangeError(`${name} must be a number above 0, not ${value}`)
  return value
}

export const isServiceStatus = (body: unknown): body is ServiceStatus => isObject(body) && Array.isArray(body.components)

async function textOf(response: Response, exchange: Exchange, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of exchange.bytes(response, maxBytes)) text += decoder.decode(part, { stream: true })
  return text + decoder.decode()
}

/** The service has none, and one would take headers and questions elsewhere. Browsers hide its status, and `fetch` may be the caller's. */
function refuseRedirect({ status, type, redirected, headers }: Response): void {
  if (!redirected && type !== 'opaqueredirect' && ![301, 302, 303, 307, 308].includes(status)) return
  const to = headers.get('location')?.slice(0, 200) ?? 'another address'
  const remedy = 'give apiUrl and webUrl the addresses that answer themselves'
  throw new UnexpectedAnswerError(`a redirect to ${to}, which is not followed: ${remedy}`, status)
}
