import type { ResponseInfo } from './transport/response-info.js'

export interface ClientOptions {
  /** The API host, which has the public reads: `https://api.example.com`. */
  apiUrl: string
  /** The web host, which has batches, questions, jobs and the status: `https://example.com`. */
  webUrl: string
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
  /** How long to wait for a whole answer, and for the next event of a stream. Default: 30,000. */
  timeoutMs?: number
  /** An answer that asks for a longer wait before the next attempt is an error at once; jobs are polled at least this often. Default: 60,000. */
  maxWaitMs?: number
  /** How often to try in all: 1 is never again. Default, and at most: 4. */
  maxAttempts?: number
  /** Longer answers and streams are refused. Default: 16 MiB. */
  maxBytes?: number
  /** Pages of one `items` or `pages`; the next one is an error. Default: 10,000. */
  maxPages?: number
  /** How long to wait for a job. Default: two hours; the service ends every job before. */
  maxJobMs?: number
  /** Called with every response, failures included. */
  onResponse?: (info: ResponseInfo) => void
  /** Instead of the global one, for example that of a service binding. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Waits between attempts and polls. Replaced in tests. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Between 0 and 1: callers that failed together must not retry together. Replaced in tests. */
  random?: () => number
}

export interface CallOptions {
  /** Ends the call, and rejects it with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Instead of the client's. */
  timeoutMs?: number | undefined
  /** In addition to the client's. */
  headers?: Readonly<Record<string, string>> | undefined
}

export interface ReadOptions extends CallOptions {
  /** The answer reflects at least this position of the event log; the service waits for it up to two seconds. */
  minPosition?: number | undefined
}

export interface PostOptions extends CallOptions {
  /** The same key with the same question gets the first answer again, for 24 hours. */
  idempotencyKey?: string | undefined
}
