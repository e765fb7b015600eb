import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Ticket } from './admission/admission-controller.js'

/** Requests that have been let in. */
const tickets = new WeakMap<IncomingMessage, Ticket>()

export const setTicket = (request: IncomingMessage, ticket: Ticket): void => void tickets.set(request, ticket)

/** To be called when nothing more is wanted of the database for this request, whatever else it waits for. */
export const releaseSlot = (request: IncomingMessage): void => tickets.get(request)?.releaseSlot()

const queueTimes = new WeakMap<IncomingMessage, number>()

/** How long a request has waited at the door, which the framework knows nothing of. */
export const setQueuedMs = (request: IncomingMessage, ms: number): void => void queueTimes.set(request, ms)

export const queuedMs = (request: IncomingMessage): number => queueTimes.get(request) ?? 0

/** Names of callers belong to them, but what goes into our log lines must be tame. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID()
}

/** Headers where there is no framework yet. */
/** As `writeHead` wants them: name, value, name, value. */
export const toRawHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name.toLowerCase(), value])

/** What the proxy in front of us has put at the end of a header; nobody else is believed. */
export function forwardedHeader({ headers }: IncomingMessage, name: string, trustProxy: boolean): string | undefined {
  const value = trustProxy ? headers[name] : undefined
  if (typeof value !== 'string') return undefined
  return value.slice(value.lastIndexOf(',') + 1).trim()
}
