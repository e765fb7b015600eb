import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf } from '../../operations/cache/encoded-bodies.js'

/** Caches may store it but must revalidate: an erased creator must not live on in a cache. */
export const CACHE_CONTROL = 'public, no-cache'

/** Sends a body with its tag, or a 304 to a caller that has it. Keeps a `Cache-Control` that is already set. */
export function sendWithEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  body: string | Buffer,
  tag = etagOf(body),
): FastifyReply {
  reply.headers({ ETag: tag, 'Cache-Control': reply.getHeader('Cache-Control') ?? CACHE_CONTROL })
  if (matchesEtag(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.type(type).send(body)
}

/** For HEAD, Fastify sends the length of the body; on a 304 it would be wrong. */
export function dropContentLengthOn304(app: FastifyInstance): void {
  const drop = async (_request: FastifyRequest, reply: FastifyReply) => {
    if (reply.statusCode === 304) reply.removeHeader('content-length')
  }
  app.addHook('onRoute', (route) => {
    // After Fastify's own hook, which is the last.
    if (route.method === 'HEAD') route.onSend = [route.onSend ?? [], drop].flat()
  })
}

/** Whether an `If-None-Match` header names this tag. */
export function matchesEtag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header === tag) return true
  // Soon told, because it is also looked at for requests over their limit.
  if (!header.includes(tag) && !header.includes('*')) return false
  return header.split(',').some((candidate) => {
    const trimmed = candidate.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === tag
  })
}
