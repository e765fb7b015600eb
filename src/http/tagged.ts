import type { FastifyReply, FastifyRequest } from 'fastify'
import { tagOf } from '../operations/cache/tag.js'

/** Sends a body with its tag, or only the tag to those who have the body already. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  body: string | Buffer,
  tag = tagOf(body),
): FastifyReply {
  // Caches may keep it but must ask every time: an erased creator must not live on in one of them.
  reply.headers({ ETag: tag, 'Cache-Control': 'public, no-cache' })
  if (hasTag(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.type(type).send(body)
}

function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((candidate) => {
    const trimmed = candidate.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === tag
  })
}
