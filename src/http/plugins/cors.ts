import type { FastifyInstance } from 'fastify'
import { isPreflight } from '../route-table.js'
import { CORS_HEADERS } from './response-headers.js'

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET,HEAD,POST',
  'Access-Control-Max-Age': '86400',
  Vary: 'Access-Control-Request-Headers',
  // Safari waits for a body without it.
  'Content-Length': '0',
}

/** Far more than the names of all headers that we know. */
const MAX_REQUESTED = 1000

/** Pages of any site may read answers. Their preflights are answered for any path, before anything is checked or counted. */
export function allowAllOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    reply.headers(CORS_HEADERS)
    if (!isPreflight({ method, headers })) return
    const requested = headers['access-control-request-headers']
    if (requested !== undefined && requested.length <= MAX_REQUESTED) reply.header('Access-Control-Allow-Headers', requested)
    return reply.status(204).headers(PREFLIGHT_HEADERS).send()
  })
}
