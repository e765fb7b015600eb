/**
 * Public reads whose answers are at hand are sent from here, before the framework: its hooks cost more than the answer. Says
 * the same as the ordinary way, header by header (a test holds the two side by side); whatever is in any way out of the
 * ordinary is left to that.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { API_VERSION, VERSION_HEADER } from '../../contract/version.js'
import type { Verdict } from '../../lib/sliding-window.js'
import type { Answers, AtHand } from '../../operations/cache/answer-cache.js'
import type { Encoding } from '../../operations/cache/encoded-bodies.js'
import { encodingFor, tagIn } from '../api/content-encoding.js'
import { JSON_TYPE, VARY } from '../api/public-reads.js'
import type { HostOptions } from '../host.js'
import { CACHE_CONTROL, hasTag } from '../plugins/etag.js'
import { EXPOSED } from '../plugins/exposed.js'
import { OVER_TLS, SAFE } from '../plugins/response-headers.js'
import { noteCounted } from '../rate-limit/limit-classes.js'
import type { RateLimit } from '../rate-limit/rate-limit.js'
import { flat, toldByProxy } from '../raw-headers.js'
import { requestIdOf } from '../request-id.js'

export interface AtHandOptions extends Pick<HostOptions, 'logger' | 'trustProxy' | 'observed' | 'overload'> {
  answers: Answers
  limit: RateLimit
}

/** An answer in the form that the caller wants. */
interface Chosen {
  answer: AtHand
  encoding: Encoding | undefined
  tag: string
  /** The caller has it already. */
  isKnown: boolean
  body: Buffer
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

export function serveAtHand(app: FastifyInstance, options: AtHandOptions): void {
  // A trace wants to see every step of the way.
  if (options.observed?.tracer.isOn) return
  const listeners = app.server.listeners('request') as Listener[]
  const counter = new Counter(options, (request, response) => {
    for (const listener of listeners) listener.call(app.server, request, response)
  })
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => counter.serve(request, response))
  // Whoever asks after that is told so in the ordinary way.
  app.addHook('preClose', async () => counter.close())
}

/** A request with one of these wants something that is not at hand, or there is more to it than its address. */
const OUT_OF_THE_ORDINARY = [
  'service-min-position',
  VERSION_HEADER.toLowerCase(),
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
]

class Counter {
  readonly #options: AtHandOptions
  readonly #ordinarily: Listener
  #closed = false

  constructor(options: AtHandOptions, ordinarily: Listener) {
    this.#options = options
    this.#ordinarily = ordinarily
  }

  close(): void {
    this.#closed = true
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const { limit, overload, trustProxy } = this.#options
    const answer = this.#isOrdinary(request) ? this.#find(request) : undefined
    if (answer === undefined || overload?.watch.lets() === false) {
      this.#ordinarily(request, response)
      return
    }
    const began = performance.now()
    const verdict = limit.take(toldByProxy(request, 'x-forwarded-for', trustProxy) ?? request.socket.remoteAddress ?? '')
    if (!(verdict instanceof Promise)) this.#counted(request, response, answer, verdict, began)
    else {
      verdict.then(
        // Meanwhile somebody may have been erased.
        (given) => this.#counted(request, response, this.#find(request), given, began),
        (error) => response.destroy(error),
      )
    }
  }

  #find({ url = '', headers }: IncomingMessage): Chosen | undefined {
    const answer = this.#options.answers.atHand(url)
    if (answer === undefined) return undefined
    const { forms } = answer
    const encoding = forms.isWorthwhile ? encodingFor(headers['accept-encoding']) : undefined
    const tag = tagIn(answer.tag, encoding)
    const isKnown = hasTag(headers['if-none-match'], tag)
    const body = isKnown || encoding === undefined ? forms.body : forms.ready(encoding)
    // Who is first to want a form waits for it, in the ordinary way.
    return body === undefined ? undefined : { answer, encoding, tag, isKnown, body }
  }

  #counted(request: IncomingMessage, response: ServerResponse, answer: Chosen | undefined, verdict: Verdict | null, began: number): void {
    if (answer !== undefined && verdict?.allowed !== false) this.#send(request, response, answer, verdict, began)
    else {
      if (verdict !== null) noteCounted(request, verdict)
      this.#ordinarily(request, response)
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, chosen: Chosen, verdict: Verdict | null, began: number): void {
    const { limit, logger, observed, trustProxy } = this.#options
    const { answer, encoding, tag, isKnown, body } = chosen
    const id = requestIdOf(request)
    const status = isKnown ? 304 : 200
    const head = toldByProxy(request, 'x-forwarded-proto', trustProxy) === 'https' ? [...SECURE_HEAD] : [...HEAD]
    head.push('x-request-id', id, 'etag', tag, 'content-language', answer.languages, 'service-position', String(answer.position))
    if (verdict !== null) for (const [name, value] of Object.entries(limit.headers(verdict))) head.push(name, String(value))
    if (!isKnown) head.push('content-type', JSON_TYPE, 'content-length', String(body.length))
    if (!isKnown && encoding !== undefined) head.push('content-encoding', encoding)
    response.writeHead(status, head)
    response.end(isKnown ? undefined : body)
    const ms = performance.now() - began
    observed?.metrics.answered(observed.host, answer.operation, status, ms)
    logger.info({ reqId: id, method: request.method, operation: answer.operation, status, ms: Math.round(ms * 10) / 10 }, 'answered')
  }

  #isOrdinary({ method, headers }: IncomingMessage): boolean {
    return (
      method === 'GET' && !this.#closed && headers.host !== undefined && OUT_OF_THE_ORDINARY.every((name) => headers[name] === undefined)
    )
  }
}

const ALWAYS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED.join(', '),
  [VERSION_HEADER]: API_VERSION,
  'Cache-Control': CACHE_CONTROL,
  ...VARY,
}
const HEAD: readonly string[] = flat({ ...SAFE, ...ALWAYS })
const SECURE_HEAD: readonly string[] = flat({ ...OVER_TLS, ...ALWAYS })
