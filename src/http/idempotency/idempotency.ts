/** `Idempotency-Key` for endpoints whose answer is all there is to repeat. Ask jobs keep theirs in the event store. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { idempotentRequest, keyReusedError, REPLAYED_HEADER, stillRunningError } from './idempotency-key.js'
import type { ReplyStore, StoredReply } from './reply-store.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The same key and payload get the same answer again. */
    idempotent?: boolean
  }
  interface FastifyRequest {
    /** Set while this request is the one that answers for its key. */
    idempotencyScope: string | null
  }
}

/** What belongs to the answer; everything else belongs to the request it is given to. */
const STORED_HEADERS = ['content-type', 'content-language', 'service-position', 'cache-control']

export function replayIdempotentRequests(app: FastifyInstance, answers: ReplyStore): void {
  app.decorateRequest('idempotencyScope', null)

  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.idempotent !== true) return
    const identified = idempotentRequest(request)
    if (identified === undefined) return
    const begun = await answers.begin(identified)
    if (begun === 'other payload') throw keyReusedError()
    if (begun === 'running') throw stillRunningError()
    if (begun !== 'first') return reply.status(begun.status).headers(begun.headers).header(REPLAYED_HEADER, 'true').send(begun.body)
    request.idempotencyScope = identified.scope
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const scope = request.idempotencyScope
    if (scope === null) return payload
    request.idempotencyScope = null
    // A failure is not worth repeating: the key stays free for another try.
    if (reply.statusCode >= 300) answers.forget(scope)
    else if (payload instanceof Readable) return Readable.from(captureStream(payload, reply, answers, scope), { objectMode: false })
    else answers.keep(scope, storedReplyOf(reply, Buffer.from(String(payload ?? ''))))
    return payload
  })
}

/** Passes a stream on as it comes, and keeps it once it is complete. */
async function* captureStream(source: Readable, reply: FastifyReply, answers: ReplyStore, scope: string): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = []
  let complete = false
  try {
    for await (const chunk of source) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      yield bytes
    }
    complete = true
  } finally {
    if (complete) answers.keep(scope, storedReplyOf(reply, Buffer.concat(chunks)))
    else answers.forget(scope)
  }
}

function storedReplyOf(reply: FastifyReply, body: Buffer): StoredReply {
  const headers: StoredReply['headers'] = {}
  for (const name of STORED_HEADERS) {
    const value = reply.getHeader(name)
    if (value !== undefined) headers[name] = value
  }
  return { status: reply.statusCode, headers, body }
}
