/** Bytes that are nearly HTTP, connections that are opened and forgotten, and requests that never end. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { answersIn, request } from '../harness/sockets.js'
import { holds } from '../support/property.js'

const REQUESTS = [
  'GET /public/share/community?limit=3&q=a HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nConnection: close\r\n\r\n',
  'GET /@ben/maze HTTP/1.1\r\nHost: ben.vitrine.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n',
  'POST /batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{"requests":[]}',
  'POST /ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
]

/** A request with a few of its bytes changed, cut out, doubled or put in. */
const mangled = fc
  .tuple(
    fc.constantFrom(...REQUESTS),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('change', 'cut', 'double', 'insert'), fc.uint8Array({ minLength: 1, maxLength: 6 })), {
      minLength: 1,
      maxLength: 5,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((bytes, [where, change, with_]) => {
      const at = where % bytes.length
      const head = bytes.subarray(0, at)
      if (change === 'cut') return Buffer.concat([head, bytes.subarray(at + with_.length)])
      if (change === 'double') return Buffer.concat([head, bytes.subarray(at, at + 40), bytes.subarray(at)])
      return Buffer.concat([head, Buffer.from(with_), bytes.subarray(change === 'insert' ? at : at + with_.length)])
    }, Buffer.from(text)),
  )

/** Of 250 sockets, those from this one on go on sending. */
const TRICKLING = 225

await t.test('hostile sockets', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, waitMs: 5 })
  const ports: number[] = []
  for (const [name, host] of [
    ['api', service.api],
    ['web', service.web],
    ['admin', service.admin],
  ] as const) {
    const port = await service.listen(host)
    ports.push(port)
    await holds(
      t,
      `${name}: nearly HTTP gets an answer or a hang-up, never an accident`,
      mangled,
      async (bytes) => {
        // A caller that ends its side sends no more: do not wait for the rest of a request.
        const received = await sendAndEnd(port, bytes)
        for (const { statusCode } of answersIn(received))
          if (statusCode >= 500 && statusCode !== 503 && statusCode !== 504) throw new Error(received)
      },
      120,
    )
  }

  await t.test('silent or half-sent requests do not block others, and are closed', async (t) => {
    // Half a head is waited for ten seconds: on all hosts at once.
    await Promise.all(
      ports.map(async (port) => {
        const held = [
          ...Array.from({ length: 200 }, () => ''),
          ...Array.from({ length: 50 }, () => 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
        ]
        const sockets = await Promise.all(held.map((bytes, i) => opened(port, bytes, i >= TRICKLING)))
        // Half of the heads go on, byte by byte, and ignore that the service has ended its side.
        const trickle = setInterval(() => {
          for (const socket of sockets.slice(TRICKLING)) socket.write('a')
        }, 100)
        t.teardown(() => clearInterval(trickle))
        // A trickling socket may first notice that it cannot write any more.
        const ended = sockets.slice(200).map((socket) => new Promise((resolve) => socket.once('close', resolve)))
        t.equal((await request(port, '/')).statusCode < 500, true, 'other clients are answered at the same time')
        await Promise.all(ended)
        t.pass('half a head is waited for so long and no longer')
        for (const socket of sockets) socket.destroy()
        t.equal((await request(port, '/')).statusCode < 500, true)
      }),
    )
  })
})

async function opened(port: number, bytes: string, allowHalfOpen: boolean): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (bytes !== '') socket.write(bytes)
  // Read everything that arrives, otherwise the end of the connection is never noticed.
  socket.resume()
  return socket
}

async function sendAndEnd(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  socket.end(bytes)
  await once(socket, 'close')
  return Buffer.concat(received).toString('latin1')
}
