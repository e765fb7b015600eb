import type { IncomingMessage } from 'node:http'

const queueTimes = new WeakMap<IncomingMessage, number>()

/** How long a request has waited at the door, which the framework knows nothing of. */
export const setQueuedMs = (request: IncomingMessage, ms: number): void => void queueTimes.set(request, ms)

export const queuedMs = (request: IncomingMessage): number => queueTimes.get(request) ?? 0
