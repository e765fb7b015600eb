/** Any bytes on a socket get an answer in JSON, or the connection is closed, and the service keeps running. */
import t from 'tap'
import { errorIn } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { answersIn, request, sendRaw } from '../harness/sockets.js'

const HEAD = 'GET /public/share/user/nobody HTTP/1.1\r\nHost: x\r\n'

await t.test('raw sockets', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const port = await service.listen(service.api)

  await t.test('what is no HTTP is told so', async (t) => {
    // Cached from here on, so that it could be sent before Fastify.
    for (let i = 0; i < 2; i += 1) t.equal((await request(port, '/public/share/tags')).statusCode, 200)
    const table: [what: string, status: number, ...chunks: (string | Buffer)[]][] = [
      ['bytes', 400, Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10])],
      ['text', 400, 'hello?\r\n\r\n'],
      ['a TLS handshake', 400, Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3])],
      ['an unknown method', 400, 'FOO /public/share/tags HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a method in small letters', 400, 'get /public/share/tags HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['another version', 400, 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
      ['HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['letters beyond ASCII in the path', 400, 'GET /public/share/user/é HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a header without a name', 400, `${HEAD}: x\r\n\r\n`],
      ['a header with a zero in it', 400, `${HEAD}X: a\u0000b\r\n\r\n`],
      [
        'two ways to tell the length',
        400,
        'POST /public/share/tags HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['two lengths', 400, 'POST /public/share/tags HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
      ['a length that is none', 400, 'POST /public/share/tags HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
      ['a huge header', 431, `${HEAD}X: ${'a'.repeat(20_000)}\r\n\r\n`],
      ['thousands of headers', 431, `${HEAD}${Array.from({ length: 3000 }, (_, i) => `a${i}: b\r\n`).join('')}\r\n`],
      ['a huge query', 431, `GET /public/share/community?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['no host', 400, 'GET /public/share/tags HTTP/1.1\r\nConnection: close\r\n\r\n'],
      ['two hosts', 400, 'GET /public/share/tags HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
      ['a host that is none', 400, 'GET /public/share/tags HTTP/1.1\r\nHost: ../../x y\r\nConnection: close\r\n\r\n'],
      ['a host with a user', 400, 'GET /public/share/tags HTTP/1.1\r\nHost: evil@127.0.0.1\r\nConnection: close\r\n\r\n'],
      ['the same host twice', 400, 'GET /public/share/tags HTTP/1.1\r\nHost: x\r\nhOST: x\r\nConnection: close\r\n\r\n'],
    ]
    for (const [what, status, ...chunks] of table) {
      const received = await sendRaw(port, ...chunks)
      const [answer, ...more] = answersIn(received)
      t.equal(more.length, 0, `${what}: one answer`)
      const { code, error } = errorIn(answer?.body ?? '')
      t.strictSame([answer?.statusCode, code, error], [status, status * 100, 'invalid_request'], what)
      t.match(received, /^content-type: application\/json; charset=utf-8\r$/im)
    }
  })

  await t.test('what is merely unusual is served', async (t) => {
    const table: [what: string, status: number, head: string][] = [
      ['an address as host', 200, 'GET /public/share/tags HTTP/1.1\r\nHost: [::1]:3000\r\nConnection: close\r\n\r\n'],
      ['a host without a name', 200, 'GET /public/share/tags HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
      ['no version', 200, 'GET /public/share/tags\r\n\r\n'],
      ['HTTP/1.0', 200, 'GET /public/share/tags HTTP/1.0\r\n\r\n'],
      ['a full address', 200, 'GET http://elsewhere/public/share/tags HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
      ['a wish for another protocol', 404, `${HEAD}Upgrade: websocket\r\nConnection: close\r\n\r\n`],
      ['an unknown expectation', 404, `${HEAD}Expect: miracles\r\nConnection: close\r\n\r\n`],
      ['OPTIONS *', 204, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
      ['a blank line first', 404, `\r\n${HEAD}Connection: close\r\n\r\n`],
    ]
    for (const [what, status, head] of table) t.equal(answersIn(await sendRaw(port, head))[0]?.statusCode, status, what)
  })

  await t.test('requests sent all at once are answered in their order', async (t) => {
    const paths = [
      '/public/share/tags',
      '/public/share/user/nobody',
      '/public/share/community?limit=0',
      '/nothing',
      '/public/share/user/ben',
    ]
    const last = paths.length - 1
    const received = await sendRaw(
      port,
      paths.map((path, i) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${i === last ? 'Connection: close\r\n' : ''}\r\n`).join(''),
    )
    t.strictSame(
      answersIn(received).map(({ statusCode }) => statusCode),
      [200, 404, 422, 404, 200],
    )
  })

  await t.test('a request that arrives byte by byte is answered', async (t) => {
    const received = await sendRaw(port, ...`${HEAD}Connection: close\r\n\r\n`)
    t.equal(answersIn(received)[0]?.statusCode, 404)
  })

  t.equal((await request(port, '/public/share/tags')).statusCode, 200, 'and the service lives on')
})
