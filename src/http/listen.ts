import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Connections that the system keeps until they are accepted, as far as it allows. Node's 511 are soon used up by a burst of them. */
const BACKLOG = 4096

/**
 * Listens on every address of `localhost`, as Fastify does. Fastify would open a second HTTP server for the second address,
 * and requests there would bypass the request entry; here they reach the one server that has it.
 */
export async function listen(app: FastifyInstance, host: string, port: number, resolve = addressesOf): Promise<void> {
  const [first = host, ...others] = host === 'localhost' ? await resolve(host) : []
  await app.listen({ host: first, port, backlog: BACKLOG })
  const { port: bound } = app.server.address() as AddressInfo
  for (const address of others) await listenAlso(app, address, bound)
}

const addressesOf = async (host: string): Promise<string[]> => (await lookup(host, { all: true })).map(({ address }) => address)

async function listenAlso(app: FastifyInstance, host: string, port: number): Promise<void> {
  // The socket options of Node's HTTP server.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket))
  app.server.once('close', () => server.close())
  server.listen({ host, port, backlog: BACKLOG })
  try {
    await once(server, 'listening')
    app.log.info(`Server listening at http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  } catch {
    // As Fastify does: the first address is enough, and this one may not exist on the machine.
  }
}
