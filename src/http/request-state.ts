import type { IncomingMessage } from 'node:http'
import type { Guest } from './admission/admission-controller.js'

/** Requests that have been let in. */
const guests = new WeakMap<IncomingMessage, Guest>()

export const noteGuest = (request: IncomingMessage, guest: Guest): void => void guests.set(request, guest)

/** To be called when nothing more is wanted of the database for this request, whatever else it waits for. */
export const served = (request: IncomingMessage): void => guests.get(request)?.served()
