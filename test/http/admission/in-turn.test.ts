/** A pipelined request begins when the answer before it is sent. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { inTurn } from '../../../src/http/admission/in-turn.js'
import { listening } from '../../support/listening.js'

const PIPELINED = Array.from({ length: 15 }, (_, i) => `/small-${i}`)
const heads = (paths: readonly string[]) => paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')

async function serve(t: Test): Promise<{ port: number; begun: string[]; closed: () => Promise<unknown> }> {
  const begun: string[] = []
  const large = Buffer.alloc(32 * 1024 * 1024)
  const server = createServer(
    inTurn(({ url = '' }, response) => {
      begun.push(url)
      response.end(url === '/large' ? large : url)
    }),
  )
  const port = await listening(server)
  t.teardown(() => server.close())
  const closed = new Promise((resolve) => server.on('connection', (socket) => socket.once('close', () => setImmediate(resolve))))
  return { port, begun, closed: () => closed }
}

await t.test('behind an answer that is not read, nothing is begun', async (t) => {
  const { port, begun, closed } = await serve(t)
  const socket = connect(port, '127.0.0.1').pause()
  socket.write(heads(['/large', ...PIPELINED]))
  await once(socket, 'readable')
  t.strictSame(begun, ['/large'])
  socket.destroy()
  await closed()
  t.strictSame(begun, ['/large'], 'nor when its reader has hung up')
})

await t.test('once it is read the others are answered, in their order', async (t) => {
  const { port, begun } = await serve(t)
  const socket = connect(port, '127.0.0.1')
  socket.write(heads(['/large', ...PIPELINED]))
  let end = ''
  for await (const chunk of socket) {
    end = (end + chunk.toString('latin1')).slice(-10_000)
    if (end.endsWith('/small-14')) break
  }
  t.strictSame(begun, ['/large', ...PIPELINED])
  t.strictSame(end.match(/\/small-\d+/g), PIPELINED)
})
