import type { RequestListener } from 'node:http'
import { ServiceError } from '../contract/errors.js'
import { type RefuserOptions, refuser } from './refuse.js'

/**
 * Gives every later stage the same path. The router does not look at the first character, so `*ask` would be `/ask` to it and an
 * unknown path to the limits.
 */
export function useOriginForm(next: RequestListener, reject: RequestListener): RequestListener {
  return (request, response) => {
    const target = request.url ?? ''
    const path = target.startsWith('/') ? target : originFormOf(target, request.method)
    if (path !== null) request.url = path
    const enter = path === null ? reject : next
    enter(request, response)
  }
}

/** Answers a request whose target is no path. */
export function rejectTarget(options: RefuserOptions): RequestListener {
  const refuse = refuser(options, { connection: 'close' })
  const failure = new ServiceError('invalid_request', 'The request line must name a path.')
  return (request, response) => refuse(request, response, failure, 'unknown', performance.now())
}

/** From the other forms of RFC 9112, 3.2; `null` for what is none of them. */
function originFormOf(target: string, method: string | undefined): string | null {
  if (target === '*') return method === 'OPTIONS' ? target : null
  const [origin] = /^https?:\/\/[^/?#]*/i.exec(target) ?? []
  if (origin === undefined) return null
  const rest = target.slice(origin.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
