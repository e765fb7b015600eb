import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports for servers that are killed and started again on the same one. From below the range the system takes for
 * outgoing connections: there, a client that keeps trying to reach a dead server may be given that server's very port.
 */
export async function serverPorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = randomInt(15_000, 32_000)
    if ((await reserve(port)) && (await isFree(port))) ports.push(port)
  }
  return ports
}

/** Until this process ends. Test files run side by side, and a server listens only a while after it was given its port. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(socket, 'listening')
    return true
  } catch {
    socket.close()
    return false
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
