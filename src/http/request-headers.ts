import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The caller's own id if it is safe to log, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID()
}

/** The last value of an `X-Forwarded-*` header: the one our own proxy added. Earlier values come from the caller. */
export function forwardedHeader({ headers }: IncomingMessage, name: string, trustProxy: boolean): string | undefined {
  const value = trustProxy ? headers[name] : undefined
  if (typeof value !== 'string') return undefined
  return value.slice(value.lastIndexOf(',') + 1).trim()
}
