/** `Idempotency-Key` for endpoints that only read: the stored reply is replayed. Ask jobs keep their keys in the event store. */

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import { IDEMPOTENCY_KEY } from '../../contract/request-headers.js'
import type { ModelVersions } from '../../operations/cache/model-versions.js'
import type { IdempotentRequest, ReplyStore, StoredReply } from '../../ports/reply-store.js'
import { minPosition } from '../min-position.js'
import { callerOf } from '../rate-limit/client-key.js'
import { stateOf } from '../request-state.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The same key and payload get the same reply again. */
    idempotent?: boolean
  }
}

/** Headers that belong to the reply; all others belong to the current request. */
const STORED_HEADERS = ['content-type', 'content-language', 'service-position', 'cache-control']

/** A reply from before a removal, of anyone, is neither kept nor repeated: it may hold their words. */
export function replayIdempotentRequests(app: FastifyInstance, replies: ReplyStore, versions: Pick<ModelVersions, 'readRemovals'>): void {
  const readRemovals = () => versions.readRemovals().catch(() => null)

  const keep = async (scope: string, reply: StoredReply) => {
    replies.keep(scope, reply)
    // After keeping it, so that a removal in between is seen here or clears the store.
    if ((await readRemovals()) !== reply.removals) replies.drop(scope)
  }

  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.idempotent !== true) return
    const identified = idempotentRequest(request)
    if (identified === undefined) return
    // First: a removal that this process hears of here clears the store.
    const removals = await readRemovals()
    const begun = await replies.begin(identified)
    if (begun === 'other payload') throw keyReusedError()
    if (begun === 'running') throw stillRunningError()
    if (begun !== 'first' && isNewEnough(begun, request) && begun.removals === removals)
      return reply.status(begun.status).headers(begun.headers).header(REPLAYED_HEADER, 'true').send(begun.body)
    stateOf(request.raw).idempotent = { scope: identified.scope, removals }
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const state = stateOf(request.raw)
    if (state.idempotent === null) return payload
    const { scope, removals } = state.idempotent
    state.idempotent = null
    const ended = (body: Buffer | null) => {
      // A failure is not stored: the key stays free for another try.
      if (body === null || removals === null || reply.statusCode >= 300 || state.hasTransientFailure) replies.forget(scope)
      else void keep(scope, storedReplyOf(reply, body, removals))
    }
    if (payload instanceof Readable) return captured(payload, ended)
    ended(Buffer.from(String(payload ?? '')))
    return payload
  })
}

/** A reader who waits for a position gets no reply from before it: the request is answered anew, as without a key. */
function isNewEnough({ headers }: StoredReply, request: FastifyRequest): boolean {
  const wanted = request.routeOptions.config.waitsForPosition === true ? minPosition(request) : undefined
  return wanted === undefined || Number(headers['service-position'] ?? -1) >= wanted
}

/** Passes a stream on. `ended` is called once: with all its bytes, or with `null` if it was given up. */
function captured(source: Readable, ended: (body: Buffer | null) => void): Readable {
  let isComplete = false
  async function* pass(): AsyncGenerator<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of source) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      yield bytes
    }
    isComplete = true
    ended(Buffer.concat(chunks))
  }
  // Not in the generator: one that is closed before its first read never runs.
  return Readable.from(pass(), { objectMode: false }).once('close', () => {
    source.destroy()
    if (!isComplete) ended(null)
  })
}

function storedReplyOf(reply: FastifyReply, body: Buffer, removals: string): StoredReply {
  const headers: StoredReply['headers'] = {}
  for (const name of STORED_HEADERS) {
    const value = reply.getHeader(name)
    if (value !== undefined) headers[name] = value
  }
  return { status: reply.statusCode, headers, body, removals }
}

export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
export const REPLAYED_HEADER = 'Idempotency-Replayed'

/** `undefined` without the header. */
export function idempotentRequest(request: FastifyRequest): IdempotentRequest | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const key = parseKey(String(header))
  if (key === null) {
    throw new ServiceError('invalid_request', `${IDEMPOTENCY_HEADER} must be 1 to 255 visible ASCII characters, in double quotes or bare.`)
  }
  const [path = ''] = request.url.split('?')
  const { 'accept-language': languages = '' } = request.headers
  return {
    scope: digest(callerOf(request), path, key),
    fingerprint: digest(request.url, stateOf(request.raw).rawBody, languages),
  }
}

/** `"8e03978e"` and `8e03978e` are the same key. */
function parseKey(header: string): string | null {
  const [, quoted, bare] = IDEMPOTENCY_KEY.exec(header) ?? []
  return quoted?.replaceAll(/\\(["\\])/g, '$1') ?? bare ?? null
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
