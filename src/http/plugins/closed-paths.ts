import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../contract/errors.js'

/** Paths that are a 401 for every request, also if more is wrong with it. */
export interface ClosedPaths {
  /** `app` closes `/app` and everything below. */
  firstSegment: string
  /** The value of `WWW-Authenticate`. */
  challenge: string
  message: string
}

/** Add it before the checks whose errors must not come first. */
export function rejectClosedPaths(app: FastifyInstance, closed: ClosedPaths): void {
  app.addHook('onRequest', async ({ url }, reply) => {
    if (isClosed(closed, url)) throw closedError(closed, reply)
  })
}

/** By the URL and not by the route: an address with bad escapes has no route. */
export function isClosed({ firstSegment }: ClosedPaths, url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1)
  const [root, first = ''] = path.split('/', 2)
  return root === '' && decoded(first) === firstSegment
}

export function closedError({ challenge, message }: ClosedPaths, reply: FastifyReply): ServiceError {
  reply.header('WWW-Authenticate', challenge)
  return new ServiceError('unauthorized', message)
}

/** As the router does. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
