import type { IncomingMessage } from 'node:http'

const waited = new WeakMap<IncomingMessage, number>()

/** How long a request has waited at the door, which the framework knows nothing of. */
export const noteWaited = (request: IncomingMessage, ms: number): void => void waited.set(request, ms)

export const waitedMs = (request: IncomingMessage): number => waited.get(request) ?? 0
