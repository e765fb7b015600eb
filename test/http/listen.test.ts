/** A name with two addresses: requests to both go through the same entry. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import t from 'tap'
import { AdmissionController } from '../../src/http/admission/admission-controller.js'
import { createHost } from '../../src/http/host.js'
import { listen } from '../../src/http/listen.js'
import { admit } from './admission/admit.js'

const ADDRESSES = ['127.0.0.1', '127.0.0.2']

await t.test('localhost', async (t) => {
  const controller = new AdmissionController({ maxInFlight: 4 })
  t.teardown(() => controller.stop())
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false, admission: { host: 'api', controller } })
  t.teardown(() => host.close())
  host.get('/', async () => ({ served: true }))
  await listen(host, 'localhost', 0, async () => ADDRESSES)
  const { port } = host.server.address() as { port: number }
  const statuses = () => Promise.all(ADDRESSES.map((address) => statusAt(address, port)))

  await t.test('is served on both addresses', async (t) => {
    for (const address of ADDRESSES) t.equal(await statusAt(address, port), 200, address)
  })

  await t.test('is admitted on both', async (t) => {
    const tickets = await Promise.all(Array.from({ length: 4 }, () => admit(controller, 'api', null)))
    t.strictSame(await statuses(), [503, 503])
    for (const ticket of tickets) ticket.close()
    for (const address of ADDRESSES) t.equal(await statusAt(address, port), 200, address)
  })

  await t.test('answers bytes that are not HTTP in words', async (t) => {
    for (const address of ADDRESSES) {
      const socket = connect(port, address).end('nonsense\r\n\r\n')
      const [answer] = (await once(socket, 'data')) as [Buffer]
      t.match(String(answer), /^HTTP\/1\.1 400 .*"error":"invalid_request"/s, address)
    }
  })

  await t.test('closes both', async (t) => {
    await host.close()
    for (const address of ADDRESSES) await t.rejects(statusAt(address, port), address)
  })
})

await t.test('an address that this machine does not have is left out', async (t) => {
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false })
  t.teardown(() => host.close())
  await listen(host, 'localhost', 0, async () => ['127.0.0.1', '192.0.2.1'])
  const { port } = host.server.address() as { port: number }
  t.equal(await statusAt('127.0.0.1', port), 404)
})

async function statusAt(address: string, port: number): Promise<number> {
  const { status } = await fetch(`http://${address}:${port}/`, { headers: { connection: 'close' } })
  return status
}
