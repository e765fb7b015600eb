import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../contract/errors.js'
import { LocalRateWindows } from '../../rate-limit/local-rate-windows.js'
import { clientKeyOf } from '../rate-limit/client-key.js'

export interface AdminIdentity {
  /** How the caller proved its right. */
  who: 'token' | 'session' | 'loopback'
  /** Our pages send it along. `null` where a browser does not add the credentials by itself. */
  csrfToken: string | null
}

const COOKIE = 'vitrine_admin'
const SESSION_MS = 12 * 3_600_000
const MAX_SESSIONS = 100
/** Wrong tokens per minute: at the sign-in for all callers together, in headers per address. */
const MAX_FAILURES = 10
const FAILURE_WINDOW_MS = 60_000

/**
 * Who may see the admin pages and act. With a token: callers that send it or opened a session with it. Without one: callers
 * on this machine that use a loopback name as Host, so that no foreign page whose name resolves here gets in.
 */
export class AdminAuth {
  readonly #token: Buffer | null
  /** CSRF tokens by session id. */
  readonly #sessions = new LRUCache<string, string>({ max: MAX_SESSIONS, ttl: SESSION_MS })
  readonly #loopbackCsrfToken = randomToken()
  #failedSignIns: number[] = []
  readonly #failedBearers = new LocalRateWindows()

  constructor(token: string | undefined) {
    this.#token = token === undefined ? null : digest(token)
  }

  get needsToken(): boolean {
    return this.#token !== null
  }

  /** `null` without a right. Throws for an address that keeps sending wrong tokens. */
  identify(request: FastifyRequest): AdminIdentity | null {
    if (this.#token === null) return isLocal(request) ? { who: 'loopback', csrfToken: this.#loopbackCsrfToken } : null
    const [, bearer] = /^Bearer +(\S.*)$/i.exec(request.headers.authorization ?? '') ?? []
    if (bearer !== undefined) {
      // Not counted first: callers that share an address must not be able to lock each other out.
      if (this.#isToken(bearer)) return { who: 'token', csrfToken: null }
      this.#countFailedBearer(request)
      return null
    }
    const csrfToken = this.#sessions.get(cookieOf(request) ?? '')
    return csrfToken === undefined ? null : { who: 'session', csrfToken }
  }

  /** Throws unless one of our own pages sent the request, or the caller sent the token itself. */
  checkCsrf(request: FastifyRequest, { csrfToken }: AdminIdentity): void {
    if (csrfToken === null) return
    checkOrigin(request)
    const sent = request.headers['x-admin-seal']
    if (typeof sent !== 'string' || !timingSafeEqual(digest(sent), digest(csrfToken)))
      throw new ServiceError('forbidden', 'This page is from an earlier session: load it again.')
  }

  /** The cookie of a new session; null for a wrong token. */
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
    this.#sessions.set(id, randomToken())
    return cookie(request, id, SESSION_MS / 1000)
  }

  /** A cookie that deletes the old one. */
  signOut(request: FastifyRequest): string {
    checkOrigin(request)
    this.#sessions.delete(cookieOf(request) ?? '')
    return cookie(request, '', 0)
  }

  #countFailedBearer({ ip }: FastifyRequest): void {
    const { allowed, resetS } = this.#failedBearers.take([{ key: clientKeyOf(ip), limit: MAX_FAILURES }], Date.now(), 1)
    if (!allowed) throw new ServiceError('rate_limited', `Too many wrong tokens: wait ${resetS} s.`, { retryAfterS: resetS })
  }

  #isToken(token: string): boolean {
    return this.#token !== null && timingSafeEqual(digest(token), this.#token)
  }
}

/** Browsers send Origin with every POST, and pages cannot change it. */
function checkOrigin({ headers }: FastifyRequest): void {
  const { origin, host } = headers
  const own = origin !== undefined && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
  if (!own) throw new ServiceError('forbidden', 'Only a page of this host may ask for that.')
}

/** By the socket, not by headers. `rejectForeignRequests` has refused what came through a proxy on this machine. */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  return isLoopback(raw.socket.remoteAddress ?? '') && isLocalName(headers.host ?? '')
}

const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

const isLocalName = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host)

/** Equal length for any token, so that `timingSafeEqual` can compare them. */
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
