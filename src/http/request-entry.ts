/**
 * The way of a request before Fastify:
 * 1. A cached read is sent without queueing (api host, `admission/cached-reads.ts`). It counts against the rate limit here.
 * 2. Admission runs the request now, queues it or sheds it (public hosts, `admission/admission-listener.ts`).
 * 3. Fastify runs its hooks in the order of `host.ts`; all other requests are counted there.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

/** Answers a request, or passes it to `next`. */
export type Stage = (next: RequestListener) => RequestListener

export interface EntryStages {
  cachedReads: Stage | undefined
  admission: Stage | undefined
}

/** The only place that touches the server's request listeners. */
export function installRequestEntry({ server, routing }: FastifyInstance, { cachedReads, admission }: EntryStages): void {
  let enter: RequestListener = routing
  if (admission !== undefined) enter = admission(enter)
  if (cachedReads !== undefined) enter = cachedReads(enter)
  server.removeAllListeners('request').on('request', enter)
  // HTTP lets us ignore unknown expectations; Node would answer 417 without a body.
  server.on('checkExpectation', enter)
}
