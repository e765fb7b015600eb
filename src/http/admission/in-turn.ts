import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Begins a pipelined request when the answer before it is sent. Node hands out all of them at once: behind an answer that is not
 * read, the others would be made, held in memory and counted as in flight.
 */
export function inTurn(next: RequestListener): RequestListener {
  const last = new WeakMap<Socket, ServerResponse>()
  return (request, response) => {
    const { socket } = request
    const before = last.get(socket)
    last.set(socket, response)
    if (before === undefined || before.closed) next(request, response)
    else before.once('close', () => socket.destroyed || next(request, response))
  }
}
