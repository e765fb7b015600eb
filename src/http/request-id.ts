import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Names of callers belong to them, but what goes into our log lines must be tame. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID()
}
