import type { IncomingMessage } from 'node:http'
import type { Ticket } from './admission/admission-controller.js'

/** Requests that have been let in. */
const tickets = new WeakMap<IncomingMessage, Ticket>()

export const setTicket = (request: IncomingMessage, ticket: Ticket): void => void tickets.set(request, ticket)

/** To be called when nothing more is wanted of the database for this request, whatever else it waits for. */
export const releaseSlot = (request: IncomingMessage): void => tickets.get(request)?.releaseSlot()
