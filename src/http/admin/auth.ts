import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import { LocalRateWindows } from '../../ports/rate-windows.js'
import { clientKeyOf } from '../rate-limit/rate-limit.js'

export interface AdminIdentity {
  /** By which right somebody is here. */
  who: 'token' | 'session' | 'loopback'
  /** What a page of ours sends along to show that it is ours; `null` where the right cannot be lent by a browser. */
  csrfToken: string | null
}

const COOKIE = 'vitrine_admin'
const SESSION_MS = 12 * 3_600_000
const MAX_SESSIONS = 100
/** Wrong tokens per minute, at the sign-in of everybody together, in headers of each address: a person mistypes, a machine guesses. */
const MAX_FAILURES = 10
const FAILURE_WINDOW_MS = 60_000

/**
 * Who may see the admin pages, and who may act. With a token: whoever sends it, or has opened a session with it. Without
 * one: programs on this machine that call it by its own name, so that no foreign page that resolves to it gets in.
 */
export class AdminAuth {
  readonly #token: Buffer | null
  readonly #sessions = new Map<string, { seal: string; until: number }>()
  readonly #loopbackCsrfToken = randomToken()
  #failedSignIns: number[] = []
  readonly #failedBearers = new LocalRateWindows()

  constructor(token: string | undefined) {
    this.#token = token === undefined ? null : digest(token)
  }

  get needsToken(): boolean {
    return this.#token !== null
  }

  /** `null` for somebody without a right to be here. Throws for an address that goes on sending wrong tokens. */
  identify(request: FastifyRequest): AdminIdentity | null {
    if (this.#token === null) return isLocal(request) ? { who: 'loopback', csrfToken: this.#loopbackCsrfToken } : null
    const [, bearer] = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (bearer !== undefined) {
      // The right one is let in even then: many may share an address, and none of them must be able to lock the others out.
      if (this.#isToken(bearer)) return { who: 'token', csrfToken: null }
      this.#countFailedBearer(request)
      return null
    }
    const session = this.#sessionOf(request)
    return session === undefined ? null : { who: 'session', csrfToken: session.seal }
  }

  /** Throws unless it is one of our own pages that asks, or somebody who sent the token itself. */
  checkCsrf(request: FastifyRequest, { csrfToken }: AdminIdentity): void {
    if (csrfToken === null) return
    checkOrigin(request)
    const sent = request.headers['x-admin-seal']
    if (typeof sent !== 'string' || !timingSafeEqual(digest(sent), digest(csrfToken)))
      throw new ServiceError('forbidden', 'This page is from an earlier session: load it again.')
  }

  /** The cookie of a new session, or null when the token is wrong. */
  signIn(request: FastifyRequest, token: string): string | null {
    checkOrigin(request)
    const now = Date.now()
    this.#failedSignIns = this.#failedSignIns.filter((at) => now - at < FAILURE_WINDOW_MS)
    if (this.#failedSignIns.length >= MAX_FAILURES)
      throw new ServiceError('rate_limited', 'Too many wrong tokens: wait a minute.', { retryAfterS: 60 })
    if (!this.#isToken(token)) {
      this.#failedSignIns.push(now)
      return null
    }
    const id = randomToken()
    this.#sessions.set(id, { seal: randomToken(), until: now + SESSION_MS })
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest)
    return cookie(request, id, SESSION_MS / 1000)
  }

  /** The cookie that takes the old one away. */
  signOut(request: FastifyRequest): string {
    this.#sessions.delete(cookieOf(request) ?? '')
    return cookie(request, '', 0)
  }

  #countFailedBearer({ ip }: FastifyRequest): void {
    const { allowed, resetS } = this.#failedBearers.take(clientKeyOf(ip), Date.now(), MAX_FAILURES, FAILURE_WINDOW_MS, 1)
    if (!allowed) throw new ServiceError('rate_limited', `Too many wrong tokens: wait ${resetS} s.`, { retryAfterS: resetS })
  }

  #sessionOf(request: FastifyRequest) {
    const id = cookieOf(request) ?? ''
    const session = this.#sessions.get(id)
    if (session === undefined || session.until > Date.now()) return session
    this.#sessions.delete(id)
    return undefined
  }

  #isToken(token: string): boolean {
    return this.#token !== null && timingSafeEqual(digest(token), this.#token)
  }
}

/** Browsers say where a request that changes something comes from, and pages cannot make them lie. */
function checkOrigin({ headers }: FastifyRequest): void {
  const { origin, host } = headers
  const own = origin !== undefined && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
  if (!own) throw new ServiceError('forbidden', 'Only a page of this host may ask for that.')
}

/** The socket counts, not what a header claims; and a caller behind a proxy on this machine is not on this machine. */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false
  return isLoopback(raw.socket.remoteAddress ?? '') && isLocalName(headers.host ?? '')
}

const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

const isLocalName = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host)

/** Of equal length whatever is sent, so that comparing tells nothing. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const randomToken = (): string => randomBytes(24).toString('base64url')

const cookie = (request: FastifyRequest, value: string, seconds: number): string =>
  `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${request.protocol === 'https' ? '; Secure' : ''}`

function cookieOf({ headers }: FastifyRequest): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === COOKIE) return value
  }
  return undefined
}
