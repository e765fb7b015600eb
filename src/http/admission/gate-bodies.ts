/** The gate for bodies, before admission. Afterwards a request is complete, and takes no longer than the service does. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { errorEnvelope } from '../../contract/envelope.js'
import { ServiceError } from '../../contract/errors.js'
import { hasBody, leaveBodyUnread, MAX_BODY_BYTES } from '../plugins/request-body.js'
import { callerAddress, clientKeyOf } from '../rate-limit/client-key.js'
import { type RawResponderOptions, rateHeadersOf, rawResponder } from '../raw-response.js'
import { requestIdOf, stateOf } from '../request-state.js'
import { type KnownRoute, operationName } from '../route-table.js'
import type { BodyGate } from './body-gate.js'

export interface GateOptions extends RawResponderOptions {
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
  const { gate, ignoresBody, trustProxy } = options
  const send = rawResponder(options, { 'Cache-Control': 'no-store', Connection: 'close' })
  return (request, response) => {
    const state = stateOf(request)
    if (!hasBody(request) || isTooLong(request) || ignoresBody(state.route)) {
      leaveBodyUnread(request, response)
      next(request, response)
      return
    }
    const startedAt = performance.now()
    gate.receive(request, clientKeyOf(callerAddress(request, trustProxy)), MAX_BODY_BYTES, (outcome) => {
      if (outcome === 'gone') return
      if (typeof outcome !== 'string') {
        state.arrivedBody = outcome
        if (!request.complete) leaveBodyUnread(request, response)
        next(request, response)
        return
      }
      const requestId = requestIdOf(request)
      const failure = REFUSALS[outcome]
      const body = JSON.stringify(errorEnvelope(failure, requestId))
      const operation = operationName(state.route)
      send(request, response, { requestId, operation, status: failure.status, headers: rateHeadersOf(request), body, startedAt })
      // The refusal is with the operating system. What is still in Node's buffer must not be parsed chunk by chunk.
      if (outcome === 'pieces') request.destroy()
    })
  }
}

/** Refused without reading it. */
const isTooLong = ({ headers }: IncomingMessage): boolean => Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES
