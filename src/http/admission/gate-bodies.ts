/** The gate for bodies, before admission. Afterwards a request is complete, and takes no longer than the service does. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { ServiceError } from '../../contract/errors.js'
import { hasBody, leaveBodyUnread, MAX_BODY_BYTES } from '../plugins/request-body.js'
import { type RefuserOptions, refuser } from '../refuse.js'
import { stateOf } from '../request-state.js'
import { type KnownRoute, operationName } from '../route-table.js'
import type { BodyGate } from './body-gate.js'

export interface GateOptions extends RefuserOptions {
  gate: BodyGate
  /** Whether the route answers without its body. */
  ignoresBody: (route: KnownRoute | null) => boolean
}

const REFUSALS = {
  slow: new ServiceError('timeout', 'The body came too slowly.', { status: 408 }),
  displaced: new ServiceError('timeout', 'The body came slowly, and too many others were on their way.', { status: 408 }),
  pieces: new ServiceError('invalid_request', 'The body came in too many pieces: send larger chunks.'),
}

/** Passes a request to `next` when its body is there, or answers 408 or 400. */
export function gateBodies(options: GateOptions, next: RequestListener): RequestListener {
  const { gate, ignoresBody } = options
  const refuse = refuser(options, { connection: 'close' })
  return (request, response) => {
    const state = stateOf(request)
    if (!hasBody(request) || isTooLong(request) || ignoresBody(state.route)) {
      leaveBodyUnread(request, response)
      next(request, response)
      return
    }
    const startedAt = performance.now()
    gate.receive(request, state.caller ?? '', MAX_BODY_BYTES, (outcome) => {
      if (outcome === 'gone') return
      if (typeof outcome !== 'string') {
        state.arrivedBody = outcome
        if (!request.complete) leaveBodyUnread(request, response)
        next(request, response)
        return
      }
      refuse(request, response, REFUSALS[outcome], operationName(state.route), startedAt)
      // The refusal is with the operating system. What is still in Node's buffer must not be parsed chunk by chunk.
      if (outcome === 'pieces') request.destroy()
    })
  }
}

/** Refused without reading it. */
const isTooLong = ({ headers }: IncomingMessage): boolean => Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES
