import type { FastifyReply } from 'fastify'

/** Stops the work when the caller hangs up. */
export function abortOnClose(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}
