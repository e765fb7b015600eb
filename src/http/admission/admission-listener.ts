/** Admission before Fastify. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { OverloadedError } from '../../contract/errors.js'
import { type RefuserOptions, refuser } from '../refuse.js'
import { stateOf } from '../request-state.js'
import { isPreflight } from '../route-table.js'
import type { AdmissionController, Ticket } from './admission-controller.js'
import { workKindOf } from './work-kinds.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route frees its slot itself: a stream starts before the database is done, a language model runs on after it. */
    releasesSlotEarly?: boolean
  }
}

/** The operation of shed requests in metrics and log lines: they are not routed, so their own is unknown. */
const SHED_OPERATION = 'refused'

export interface AdmissionOptions extends RefuserOptions {
  host: string
  controller: AdmissionController
  /** A position that all models have reached. Default: none is known. */
  reachedPosition?: (() => number) | undefined
}

/** Passes requests to `next` now or later, or sheds them. */
export function admitRequests(options: AdmissionOptions, next: RequestListener): RequestListener {
  const { host, controller, reachedPosition = () => 0 } = options
  const refuse = refuser(options, { pagesOf: 503 })

  const admit = (request: IncomingMessage, response: ServerResponse, ticket: Ticket, startedAt: number) => {
    if (response.destroyed) {
      ticket.close()
      return
    }
    // A complete answer that waits for its reader is bounded by its bytes. `close` comes when the caller hangs up before.
    response.once('prefinish', ticket.close).once('close', ticket.close)
    const state = stateOf(request)
    state.releaseSlot = ticket.releaseSlot
    state.queuedMs = performance.now() - startedAt
    next(request, response)
  }

  return (request, response) => {
    if (isPreflight(request)) {
      next(request, response)
      return
    }
    const startedAt = performance.now()
    const { caller, route } = stateOf(request)
    controller.admit({
      host,
      caller: caller ?? '',
      kind: workKindOf(route, request, reachedPosition()),
      admit: (ticket) => admit(request, response, ticket, startedAt),
      reject: () => refuse(request, response, OVERLOADED, SHED_OPERATION, startedAt),
    })
  }
}

/** The hooks that go with `admitRequests`. Call after CORS, so that pages of other sites can read a 503, and before anything that costs. */
export function addAdmissionHooks(app: FastifyInstance): void {
  // Not only on close: a caller that reads slowly must not hold a slot of the database.
  app.addHook('onSend', async ({ raw, routeOptions }) => {
    if (routeOptions.config.releasesSlotEarly !== true) stateOf(raw).releaseSlot?.()
  })
}

const OVERLOADED = new OverloadedError()
