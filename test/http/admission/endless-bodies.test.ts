/** Bodies that no one reads, or that come in tiny pieces: answered, closed, and no dearer than a few cached reads. */
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { COMMUNITY } from '../../harness/community.js'
import { DataFolder } from '../../harness/data-folder.js'
import { Serving } from '../../harness/program.js'
import { answersIn, request } from '../../harness/sockets.js'
import { processorMs } from '../../support/linux-processes.js'

/** What one request may cost, in cached reads. */
const BUDGET = 50
/** The service does other things meanwhile: the least of a few tries is what the request costs. */
const TRIES = 5
const CHUNK = '1\r\nx\r\n'
/** Sent with the head, and again for as long as the service reads. */
const CHUNKS = CHUNK.repeat(20_000)
/** More than the buffers of the operating system hold: a caller that could send so much was not stopped. */
const ENDLESS = 32 * 1024 * 1024

await t.test('endless bodies', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const serving = await Serving.start(t, folder.path, ['--rate-limit-agent', '60'])
  await serving.ready()
  const cached = await costOfCachedRead(serving)
  t.comment(`a cached read takes ${cached.toFixed(2)} ms`)

  const table: [port: 'api' | 'web', head: string, status: number][] = [
    ['web', 'GET /robots.txt', 200],
    ['api', 'GET /public/share/tags', 200],
    ['api', 'PUT /public/share/tags', 405],
    ['api', 'DELETE /public/share/tags', 405],
    ['api', 'OPTIONS /public/share/tags', 204],
    ['api', 'POST /nothing', 404],
    ['web', 'GET /', 200],
    ['web', 'POST /ask', 400],
    ['web', 'POST /batch', 400],
    ['web', 'POST /mcp', 400],
  ]
  for (const [host, head, status] of table) {
    await t.test(head, async (t) => {
      const costs: number[] = []
      for (let i = 0; i < TRIES; i += 1) {
        const before = processorMs(serving.pid)
        const { statuses, sent } = await sendEndlessly(serving[host], head)
        costs.push((processorMs(serving.pid) - before) / cached)
        t.strictSame(statuses, [status])
        t.ok(sent < ENDLESS, 'the connection is closed')
      }
      t.comment(`costs ${costs.map((cost) => cost.toFixed(1)).join(', ')} cached reads`)
      t.ok(Math.min(...costs) < BUDGET)
    })
  }

  await t.test('a refused request is closed, too', async (t) => {
    const { statuses } = await sendUntilRefused(serving.web)
    t.strictSame(statuses, [429])
  })

  await t.test('a short body that is not needed keeps the connection', async (t) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => agent.destroy())
    const headers = { 'content-length': '2' }
    const answer = await request(serving.api, '/nothing', { method: 'DELETE', headers, agent, body: '{}' })
    t.equal(answer.statusCode, 404)
    t.equal(answer.headers.connection, 'keep-alive')
  })
})

/** On a connection of its own, as what it is compared with. */
async function costOfCachedRead({ api, pid }: Serving): Promise<number> {
  const read = async (times: number) => {
    for (let i = 0; i < times; i += 1) await request(api, '/public/share/tags')
  }
  await read(200)
  const before = processorMs(pid)
  await read(200)
  return (processorMs(pid) - before) / 200
}

/** Sends chunks, waits for the answer and goes on sending until the service closes the connection. */
async function sendEndlessly(port: number, head: string): Promise<{ statuses: number[]; sent: number }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let [received, sent] = ['', 0]
  const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve))
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.write(`${head} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`)
  await Promise.race([once(socket, 'data').catch(() => {}), closed])
  const send = (error?: Error | null) => {
    if (sent >= ENDLESS) socket.destroy()
    else if (!error) socket.write(CHUNKS, send)
    sent += CHUNKS.length
  }
  send()
  await closed
  return { statuses: answersIn(received).map(({ statusCode }) => statusCode), sent }
}

async function sendUntilRefused(port: number): Promise<{ statuses: number[] }> {
  for (let i = 0; ; i += 1) {
    const sent = await sendEndlessly(port, 'POST /ask')
    if (sent.statuses[0] !== 400 || i > 100) return sent
  }
}
