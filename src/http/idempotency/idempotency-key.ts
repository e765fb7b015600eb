import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import { clientKeyOf } from '../rate-limit/caller.js'

export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
export const REPLAYED_HEADER = 'Idempotency-Replayed'

/** What a caller has chosen to recognise a request by, and what it asked for with it. */
export interface IdempotentRequest {
  /** Caller, path and key in one. Others may choose the same key: it must not lead them to somebody else's answer. */
  scope: string
  /** Tells whether a repeated request is really the same. */
  fingerprint: string
}

/** `undefined` for a request without the header. */
export function idempotentRequest(request: FastifyRequest): IdempotentRequest | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const key = parseKey(String(header))
  if (key === null) {
    throw new ServiceError('invalid_request', `${IDEMPOTENCY_HEADER} must be 1 to 255 visible ASCII characters, in double quotes or bare.`)
  }
  const [path = ''] = request.url.split('?')
  return { scope: digest(clientKeyOf(request.ip), path, key), fingerprint: digest(request.url, request.rawBody) }
}

/** `"8e03978e"` and `8e03978e` are the same key. */
function parseKey(header: string): string | null {
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/.exec(header)?.[1]
  if (quoted !== undefined) return quoted.replaceAll(/\\(["\\])/g, '$1')
  return /^[\x21\x23-\x7e]{1,255}$/.test(header) ? header : null
}

function digest(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length} `).update(part)
  return hash.digest('base64url')
}

export const keyReusedError = (): ServiceError =>
  new ServiceError('validation_failed', `This ${IDEMPOTENCY_HEADER} belongs to another request: choose a new key for a new request.`)

export const stillRunningError = (): ServiceError =>
  new ServiceError('conflict', `The first request with this ${IDEMPOTENCY_HEADER} is still being answered: wait for it.`, {
    retryAfterS: 1,
  })
