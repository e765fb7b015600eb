/** Bodies arrive at the gate: few of one caller, a bounded number in all, and not too slowly. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { BodyGate, type BodyGateOptions } from '../../../src/http/admission/body-gate.js'
import { createHost } from '../../../src/http/host.js'
import { answersIn } from '../../harness/sockets.js'
import { eventually } from '../../ports/subject.js'

async function gated(t: Test, options: BodyGateOptions) {
  const gate = new BodyGate(options)
  // The caller is what a header says, so that one machine can be many callers.
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: true, bodies: gate })
  host.post('/echo', async ({ body }) => ({ body }))
  t.teardown(() => host.close())
  const port = Number(new URL(await host.listen({ host: '127.0.0.1', port: 0 })).port)
  const open = (caller: string, rest = 'Content-Length: 20\r\n\r\n{', path = '/echo') => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: ${caller}\r\n`
    const sent = new RawRequest(connect(port, '127.0.0.1'), head + rest)
    t.teardown(() => sent.socket.destroy())
    return sent
  }
  /** Opens one and waits until it is at the gate. */
  const arrive = async (caller: string) => {
    const before = gate.size
    const sent = open(caller)
    await eventually(async () => gate.size > before)
    return sent
  }
  return { gate, open, arrive }
}

class RawRequest {
  readonly answered: Promise<number | undefined>
  #received = ''

  constructor(
    readonly socket: Socket,
    bytes: string,
  ) {
    socket.on('error', () => {})
    socket.on('data', (chunk) => (this.#received += chunk))
    this.answered = once(socket, 'close').then(() => answersIn(this.#received)[0]?.statusCode)
    socket.write(bytes)
  }

  get isOpen(): boolean {
    return this.#received === '' && !this.socket.destroyed
  }
}

const QUICK = 'Content-Length: 2\r\nConnection: close\r\n\r\n{}'

await t.test('a caller with too many bodies on their way loses the one that came first', async (t) => {
  const { gate, open, arrive } = await gated(t, { maxPerCaller: 2, graceMs: 60_000, timeoutMs: 60_000 })
  const [first, second] = [await arrive('192.0.2.1'), await arrive('192.0.2.1')]
  const other = await arrive('192.0.2.2')
  const third = open('192.0.2.1')
  t.equal(await first.answered, 408)
  t.ok(second.isOpen && third.isOpen && other.isOpen)
  t.equal(gate.size, 3)
  t.equal(await open('192.0.2.2', QUICK).answered, 200, 'whose body comes at once is answered')
})

await t.test('the callers of one /48 have a wider bound together', async (t) => {
  const { gate, open, arrive } = await gated(t, { maxPerCaller: 1, graceMs: 60_000, timeoutMs: 60_000 })
  const sent = []
  for (let i = 0; i < 10; i += 1) sent.push(await arrive(`2001:db8:1:${i}::1`))
  open('2001:db8:1:a::1')
  t.equal(await sent[0]?.answered, 408)
  t.equal(gate.size, 10)
})

await t.test('with too many in all, the one that came first has to go, and quick ones are answered', async (t) => {
  const { gate, open, arrive } = await gated(t, { maxInAll: 5, graceMs: 60_000, timeoutMs: 60_000 })
  const sent = []
  for (let i = 0; i < 5; i += 1) sent.push(await arrive(`192.0.2.${i}`))
  for (let i = 10; i < 15; i += 1) t.equal(await open(`192.0.2.${i}`, QUICK).answered, 200)
  t.equal(await sent[0]?.answered, 408)
  t.ok(
    sent.slice(1).every(({ isOpen }) => isOpen),
    'one place is enough for all of them',
  )
  t.equal(gate.size, 4)
})

await t.test('a body that trickles in is told so after the grace', async (t) => {
  const { open } = await gated(t, { graceMs: 100, minBytesPerS: 1024, timeoutMs: 60_000 })
  const sent = open('192.0.2.1', 'Transfer-Encoding: chunked\r\n\r\n')
  const trickle = setInterval(() => sent.socket.write('1\r\n \r\n'), 20)
  t.teardown(() => clearInterval(trickle))
  t.equal(await sent.answered, 408)
})

await t.test('a caller that hangs up leaves the gate', async (t) => {
  const { gate, arrive } = await gated(t, { graceMs: 60_000, timeoutMs: 60_000 })
  const sent = await arrive('192.0.2.1')
  sent.socket.destroy()
  await eventually(async () => gate.size === 0)
})

await t.test('a path that needs no body waits for none', async (t) => {
  const { gate, open } = await gated(t, { graceMs: 60_000, timeoutMs: 60_000 })
  const sent = open('192.0.2.1', 'Content-Length: 20\r\n\r\n{', '/nothing')
  const [chunk] = await once(sent.socket, 'data')
  t.match(String(chunk), /^HTTP\/1\.1 404 /)
  t.equal(gate.size, 0)
})
