import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import { OwnRateWindows } from '../../ports/rate-windows.js'
import { callerOf } from '../rate-limit/caller.js'

export interface Visitor {
  /** By which right somebody is here. */
  who: 'token' | 'session' | 'loopback'
  /** What a page of ours sends along to show that it is ours; `null` where the right cannot be lent by a browser. */
  seal: string | null
}

const COOKIE = 'vitrine_admin'
const SESSION_MS = 12 * 3_600_000
const MAX_SESSIONS = 100
/** Wrong tokens per minute, at the sign-in of everybody together, in headers of each address: a person mistypes, a machine guesses. */
const MAX_WRONG = 10
const WRONG_MS = 60_000

/**
 * Who may see the admin pages, and who may act. With a token: whoever sends it, or has opened a session with it. Without
 * one: programs on this machine that call it by its own name, so that no foreign page that resolves to it gets in.
 */
export class Access {
  readonly #token: Buffer | null
  readonly #sessions = new Map<string, { seal: string; until: number }>()
  readonly #ownSeal = secret()
  #wrong: number[] = []
  readonly #wrongBearers = new OwnRateWindows()

  constructor(token: string | undefined) {
    this.#token = token === undefined ? null : digest(token)
  }

  get needsToken(): boolean {
    return this.#token !== null
  }

  /** `null` for somebody without a right to be here. Throws for an address that goes on sending wrong tokens. */
  visitorOf(request: FastifyRequest): Visitor | null {
    if (this.#token === null) return isLocal(request) ? { who: 'loopback', seal: this.#ownSeal } : null
    const [, bearer] = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (bearer !== undefined) {
      // The right one is let in even then: many may share an address, and none of them must be able to lock the others out.
      if (this.#isToken(bearer)) return { who: 'token', seal: null }
      this.#countWrong(request)
      return null
    }
    const session = this.#sessionOf(request)
    return session === undefined ? null : { who: 'session', seal: session.seal }
  }

  /** Throws unless it is one of our own pages that asks, or somebody who sent the token itself. */
  checkAction(request: FastifyRequest, { seal }: Visitor): void {
    if (seal === null) return
    checkOrigin(request)
    const sent = request.headers['x-admin-seal']
    if (typeof sent !== 'string' || !timingSafeEqual(digest(sent), digest(seal)))
      throw new ServiceError('forbidden', 'This page is from an earlier session: load it again.')
  }

  /** The cookie of a new session, or null when the token is wrong. */
  open(request: FastifyRequest, token: string): string | null {
    checkOrigin(request)
    const now = Date.now()
    this.#wrong = this.#wrong.filter((at) => now - at < WRONG_MS)
    if (this.#wrong.length >= MAX_WRONG)
      throw new ServiceError('rate_limited', 'Too many wrong tokens: wait a minute.', { retryAfterS: 60 })
    if (!this.#isToken(token)) {
      this.#wrong.push(now)
      return null
    }
    const id = secret()
    this.#sessions.set(id, { seal: secret(), until: now + SESSION_MS })
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest)
    return cookie(request, id, SESSION_MS / 1000)
  }

  /** The cookie that takes the old one away. */
  close(request: FastifyRequest): string {
    this.#sessions.delete(cookieOf(request) ?? '')
    return cookie(request, '', 0)
  }

  #countWrong({ ip }: FastifyRequest): void {
    const { allowed, resetS } = this.#wrongBearers.take(callerOf(ip), Date.now(), MAX_WRONG, WRONG_MS, 1)
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

const secret = (): string => randomBytes(24).toString('base64url')

const cookie = (request: FastifyRequest, value: string, seconds: number): string =>
  `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${request.protocol === 'https' ? '; Secure' : ''}`

function cookieOf({ headers }: FastifyRequest): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === COOKIE) return value
  }
  return undefined
}
