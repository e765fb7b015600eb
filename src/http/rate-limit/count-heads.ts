/** Counts a request when its head has arrived, before anything is done for it: also one whose body never comes, or that is shed. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { RateDecision } from '../../ports/rate-windows.js'
import { type RefuserOptions, refuser } from '../refuse.js'
import { stateOf } from '../request-state.js'
import { operationName } from '../route-table.js'
import { callerAddress } from './client-key.js'
import { type HostLimits, limitOf } from './limit-classes.js'
import type { RateLimit } from './rate-limit.js'

/** Passes requests within their limit to `next`, and refuses the others. */
export function countHeads(options: RefuserOptions, hostLimits: HostLimits, next: RequestListener): RequestListener {
  const refuse = refuser(options, { pagesOf: 429 })

  const decide = (request: IncomingMessage, response: ServerResponse, limit: RateLimit, decision: RateDecision, startedAt: number) => {
    const state = stateOf(request)
    state.counted = { limit, decision }
    if (decision.allowed) next(request, response)
    else refuse(request, response, limit.refusal(decision), operationName(state.route), startedAt)
  }

  return (request, response) => {
    const startedAt = performance.now()
    const { route, caller } = stateOf(request)
    const limit = limitOf(hostLimits, request, route)
    const decision = limit.take(caller ?? callerAddress(request, options.trustProxy), 1, route?.config.maxCost)
    if (decision === null) next(request, response)
    else if (!(decision instanceof Promise)) decide(request, response, limit, decision, startedAt)
    else
      decision.then(
        (made) => decide(request, response, limit, made, startedAt),
        (error) => response.destroy(error),
      )
  }
}
