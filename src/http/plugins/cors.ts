import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { isPreflight } from '../route-table.js'
import { EXPOSED_HEADERS } from './response-headers.js'

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
export async function allowAllOrigins(app: FastifyInstance): Promise<void> {
  // The plugin would take every OPTIONS for a preflight; `rejectUnknownRoutes` answers the others.
  await app.register(cors, { origin: '*', exposedHeaders: EXPOSED_HEADERS, preflight: false })
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    if (!isPreflight({ method, headers })) return
    const requested = headers['access-control-request-headers']
    if (requested !== undefined && requested.length <= MAX_REQUESTED) reply.header('Access-Control-Allow-Headers', requested)
    return reply.status(204).headers(PREFLIGHT_HEADERS).send()
  })
}
