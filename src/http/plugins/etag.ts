import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf } from '../../operations/cache/etag.js'

/** Caches may keep it but must ask every time: an erased creator must not live on in one of them. */
export const CACHE_CONTROL = 'public, no-cache'

/** Sends a body with its tag, or only the tag to those who have the body already. */
export function sendWithEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  body: string | Buffer,
  tag = etagOf(body),
): FastifyReply {
  reply.headers({ ETag: tag, 'Cache-Control': CACHE_CONTROL })
  if (matchesEtag(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.type(type).send(body)
}

/** Fastify tells whoever asks with HEAD how long the answer is; a 304 is not as long as the body that it stands for. */
export function dropContentLengthOn304(app: FastifyInstance): void {
  const drop = async (_request: FastifyRequest, reply: FastifyReply) => {
    if (reply.statusCode === 304) reply.removeHeader('content-length')
  }
  app.addHook('onRoute', (route) => {
    // Behind Fastify's own, which is the last.
    if (route.method === 'HEAD') route.onSend = [route.onSend ?? [], drop].flat()
  })
}

/** Whether a caller who sends this as If-None-Match has the body already. */
export function matchesEtag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header === tag) return true
  return header.split(',').some((candidate) => {
    const trimmed = candidate.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === tag
  })
}
