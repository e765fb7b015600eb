import type { Server } from 'node:http'

/**
 * Refuses connections before Node makes a socket and a parser for them, which costs ten times as much; it has no public way to. The
 * address is `null` where the other side has gone already: whoever opens and resets thousands costs us as little as possible.
 */
export function refuseEarly(server: Server, isRefused: (address: string | null) => boolean): void {
  server.on('listening', () => {
    const { _handle: handle } = server as Server & { _handle?: ListeningHandle | null }
    if (typeof handle?.onconnection !== 'function') return
    const accept = handle.onconnection
    handle.onconnection = function (error, connection) {
      if (!error && connection !== undefined && isRefused(addressOf(connection))) connection.close()
      else accept.call(this, error, connection)
    }
  })
}

function addressOf(connection: ConnectionHandle): string | null {
  const peer: { address?: string } = {}
  return connection.getpeername(peer) === 0 ? (peer.address ?? null) : null
}

/** Node's, as far as they are used here. */
interface ListeningHandle {
  onconnection?: (this: ListeningHandle, error: number, connection: ConnectionHandle | undefined) => void
}

interface ConnectionHandle {
  getpeername(into: object): number
  close(): void
}
