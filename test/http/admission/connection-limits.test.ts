/** Connections are bounded, in all and for each caller; those whose caller does not read are closed. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ConnectionLimits, type ConnectionLimitsOptions } from '../../../src/http/admission/connection-limits.js'
import { handleClientError } from '../../../src/http/plugins/error-response.js'
import { COMMUNITY } from '../../harness/community.js'
import { DataFolder } from '../../harness/data-folder.js'
import { Serving } from '../../harness/program.js'
import { answersIn, request } from '../../harness/sockets.js'
import { eventually } from '../../ports/subject.js'
import { listening } from '../../support/listening.js'

const BODY = Buffer.alloc(16 * 1024 * 1024)

const answer: RequestListener = (request, response) => response.end(request.url === '/large' ? BODY : 'ok')

async function limited(t: Test, options: Omit<ConnectionLimitsOptions, 'trustProxy'>, listener = answer) {
  const refused: string[] = []
  const limits = new ConnectionLimits({ ...options, trustProxy: false, onRefused: (host) => refused.push(host) })
  const server: Server = createServer(listener)
  limits.watch('api', server)
  const port = await listening(server)
  t.teardown(() => {
    limits.stop()
    server.closeAllConnections()
    server.close()
  })
  /** Of one of the loopback addresses, each of which is a caller. */
  const open = async (caller = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: caller })
    socket.on('error', () => {})
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const openAtServer = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { server, open, refused, openAtServer }
}

/** Whether the server answers on it. */
async function isServed(socket: Socket): Promise<boolean> {
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]).catch(() => false)
}

await t.test('half heads of one caller are a bounded number, and others are served', async (t) => {
  const { open, refused } = await limited(t, { maxInAll: 1000, maxPerCaller: 10 })
  const sockets: Socket[] = []
  for (let i = 0; i < 30; i += 1) sockets.push(await open())
  for (const socket of sockets) socket.resume().write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  await eventually(async () => sockets.filter(({ closed }) => !closed).length === 10)
  t.equal(refused.length, 20)
  t.ok(await isServed(await open('127.0.0.2')))
  sockets.find(({ closed }) => !closed)?.destroy()
  await eventually(async () => isServed(await open()))
})

await t.test('a full process closes a connection of the caller that has most', async (t) => {
  const { open, refused } = await limited(t, { maxInAll: 12, maxPerCaller: null })
  const greedy: Socket[] = []
  for (let i = 0; i < 12; i += 1) greedy.push(await open('127.0.0.2'))
  for (const socket of greedy) socket.resume()
  t.ok(await isServed(await open('127.0.0.3')))
  await eventually(async () => greedy.filter(({ closed }) => closed).length === 1)
  t.ok(greedy[0]?.closed, 'its oldest')
  t.ok(await isServed(await open('127.0.0.2')), 'a new one of it takes the place of another of its own')
  await eventually(async () => greedy.filter(({ closed }) => closed).length === 2)
  t.strictSame(refused, [])
})

await t.test('a caller that does not read its answer is closed, one that reads is not', async (t) => {
  const { open, openAtServer } = await limited(t, { maxInAll: 100, maxPerCaller: null, sendTimeoutMs: 500, minBytes: 2 * 1024 * 1024 })
  const silent = await open()
  silent.pause().write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
  const reader = await open('127.0.0.2')
  reader.write('GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let received = 0
  for await (const chunk of reader) received += chunk.length
  t.ok(received > BODY.length, 'all of it')
  await eventually(async () => (await openAtServer()) === 0)
  let taken = 0
  silent.on('data', (chunk) => (taken += chunk.length)).resume()
  if (!silent.closed) await once(silent, 'close')
  t.ok(taken < BODY.length, `${taken} bytes were on their way`)
})

await t.test('answers that wait for their readers are bounded, for each caller and in all', async (t) => {
  const answers = (count: number) => (count + 0.5) * BODY.length
  const { open, openAtServer } = await limited(t, {
    maxInAll: 100,
    maxPerCaller: null,
    maxWaitingBytesPerCaller: answers(2),
    maxWaitingBytes: answers(4),
  })
  const unread = async (caller: string) => {
    const socket = await open(caller)
    socket.pause().write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
    return socket
  }
  const first = await unread('127.0.0.2')
  for (let i = 0; i < 4; i += 1) await unread('127.0.0.2')
  await eventually(async () => (await openAtServer()) === 2)
  await unread('127.0.0.3')
  await unread('127.0.0.3')
  await unread('127.0.0.4')
  await eventually(async () => (await openAtServer()) === 4)
  t.ok(await isServed(await open('127.0.0.2')), 'a caller whose answers were too many is served again')
  first.resume()
  if (!first.closed) await once(first, 'close').catch(() => {})
  t.ok(first.bytesRead < BODY.length, 'the one that waited longest had to go')
})

await t.test('when every caller has one connection, the longest idle goes', async (t) => {
  const { open, refused } = await limited(t, { maxInAll: 8, maxPerCaller: null })
  const sockets: Socket[] = []
  for (let i = 0; i < 8; i += 1) sockets.push((await open(`127.0.0.${10 + i}`)).resume())
  const [oldest, second] = sockets
  t.ok(oldest && (await isServed(oldest)), 'the first has just been used')
  t.ok(await isServed(await open('127.0.0.30')), 'a new caller is served')
  await eventually(async () => second?.closed === true)
  t.equal(sockets.filter(({ closed }) => closed).length, 1)
  t.strictSame(refused, [])
})

await t.test('sixteen requests may wait on one connection; more end it, before they are made', async (t) => {
  let made = 0
  const { open } = await limited(t, { maxInAll: 100, maxPerCaller: null }, (request, response) => {
    made += 1
    answer(request, response)
  })
  const answers = async (count: number) => {
    const socket = await open()
    let received = ''
    socket.on('data', (chunk) => (received += chunk))
    const last = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count - 1) + last)
    await new Promise((resolve) => socket.once('close', resolve))
    return answersIn(received).length
  }
  t.equal(await answers(16), 16)
  t.equal(made, 16)
  t.ok((await answers(1000)) <= 16)
  t.equal(made, 32)
})

await t.test('bytes one at a time end the connection, in a head, in a body and after a request', async (t) => {
  const { open } = await limited(t, { maxInAll: 10, maxPerCaller: 10 })
  const head = 'GET / HTTP/1.1\r\nHost: x\r\n'
  const post = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`
  const beginnings = [`${head}X-Long: `, post, `${head}\r\n`]
  for (const [i, bytes] of ['x', '0', '\r\n'].entries()) {
    const socket = await open()
    socket.setNoDelay()
    const closed = once(socket.resume(), 'close')
    socket.write(beginnings[i] ?? '')
    let sent = 0
    while (!socket.closed && sent < 8000) {
      socket.write(bytes)
      sent += 1
      await setImmediate()
    }
    t.ok(socket.closed, `${bytes === '\r\n' ? 'empty lines' : bytes}: after ${sent}`)
    await closed
  }
  t.ok(await isServed(await open()), 'the caller itself is still served')
})

await t.test('line ends before a head end the connection; the bytes of bodies do not', async (t) => {
  const { open } = await limited(t, { maxInAll: 100, maxPerCaller: 10 }, async (request, response) => {
    response.end(String((await text(request)).length))
  })
  const head = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  const flooding = await open()
  const closed = new Promise((resolve) => flooding.once('close', resolve))
  flooding.resume()
  t.ok(await isServed(flooding), 'also after a request')
  let answers = 0
  flooding.on('data', () => (answers += 1))
  flooding.write(Buffer.alloc(4 * 1024 * 1024, '\r\n'))
  flooding.write(head)
  await closed
  t.equal(answers, 0)

  const posting = await open('127.0.0.2')
  for (const bytes of [3_000_000, 10]) {
    posting.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`)
    posting.write(Buffer.alloc(bytes, 'x'))
    const [answer] = await once(posting, 'data')
    t.match(String(answer), new RegExp(`${bytes}$`))
  }
})

await t.test('heads of hundreds of headers are refused, and end the connection', async (t) => {
  const { server, open } = await limited(t, { maxInAll: 100, maxPerCaller: 3 })
  server.on('clientError', handleClientError)
  const head = (count: number) => `GET / HTTP/1.1\r\nHost: x\r\n${Array.from({ length: count - 1 }, (_, i) => `${i}:\r\n`).join('')}\r\n`
  const modest = await open('127.0.0.2')
  for (const count of [31, 32, 128, 128]) {
    modest.write(head(count))
    t.match(String((await once(modest, 'data'))[0]), /^HTTP\/1\.1 200 /, `${count} headers`)
  }
  const answers = async (count: number) => {
    const socket = await open()
    socket.write(head(count).repeat(10))
    return text(socket)
  }
  for (const count of [129, 160, 400]) {
    const [before, answer, ...more] = (await answers(count)).split('HTTP/1.1')
    t.strictSame([before, more], ['', []], 'one answer for all of them')
    t.match(answer, /^ 431 /)
  }
  t.notOk(await isServed(await open()), 'a caller that goes on is not let in for a while')
  t.ok(await isServed(modest))
})

await t.test('a caller whose requests trickle is disconnected for a while', async (t) => {
  const { open } = await limited(t, { maxInAll: 100, maxPerCaller: 3 })
  const socket = await open()
  socket.setNoDelay()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  let answers = 0
  socket.on('data', () => (answers += 1))
  for (let request = 0; request < 3 && !socket.closed; request += 1) {
    for (const byte of `${'\r\n'.repeat(70)}GET / HTTP/1.1\r\nHost: x\r\n\r\n`) {
      socket.write(byte)
      await setImmediate()
    }
    await eventually(async () => answers === request + 1 || socket.closed)
  }
  await closed
  t.equal(answers, 2)
  await eventually(async () => !(await isServed(await open())))
  t.ok(await isServed(await open('127.0.0.2')))
})

await t.test('a caller whose heads never end is not let in for a while; others are, and those that only connect', async (t) => {
  const { open, refused } = await limited(t, { maxInAll: 100, maxPerCaller: 10 })
  const silent = []
  for (let i = 0; i < 30; i += 1) {
    const socket = await open('127.0.0.3')
    silent.push(once(socket.resume(), 'close'))
    socket.end()
  }
  await Promise.all(silent)
  t.ok(await isServed(await open('127.0.0.3')))
  for (let i = 0; i < 10; i += 1) {
    const socket = await open()
    const closed = once(socket.resume(), 'close')
    socket.end('GET / HTTP/1.1\r\nX-Half: ')
    await closed
  }
  await eventually(async () => !(await isServed(await open())))
  t.ok(refused.length > 0)
  t.ok(await isServed(await open('127.0.0.2')))
})

await t.test('a caller that connects again and again, and says nothing, is not let in for a while; others are', async (t) => {
  const { server, open, refused } = await limited(t, { maxInAll: 1000, maxPerCaller: 10 })
  let made = 0
  server.on('connection', () => {
    made += 1
  })
  for (let i = 0; i < 40; i += 1) {
    const socket = await open()
    if (i % 2 === 0) socket.end()
    else socket.resetAndDestroy()
    await once(socket, 'close')
  }
  await eventually(async () => !(await isServed(await open())))
  const before = made
  t.notOk(await isServed(await open()))
  t.equal(made, before, 'refused before Node made a socket')
  t.ok(refused.length > 0)
  t.ok(await isServed(await open('127.0.0.2')))
  t.equal(made, before + 1)
})

await t.test('a running service holds the bounds of its configuration', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const serving = await Serving.start(t, folder.path, ['--max-connections-per-caller', '5'])
  await serving.ready()
  const sockets = Array.from({ length: 25 }, () => connect({ port: serving.web, host: '127.0.0.1', localAddress: '127.0.0.2' }))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets)
    socket
      .on('error', () => {})
      .resume()
      .write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  await eventually(async () => sockets.filter(({ closed }) => closed).length === 20)
  const { body } = await request(serving.admin, '/metrics')
  t.match(body, /^vitrine_shed_total\{host="web",reason="connections"\} 20$/m)
  t.equal((await request(serving.web, '/status')).statusCode, 200, 'others are served')
})

await t.test('pipelined requests whose caller hangs up hold no place', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const serving = await Serving.start(t, folder.path, ['--rate-limit-agent', 'off'])
  await serving.ready()
  const inFlight = async () => Number(/^vitrine_requests_in_flight (\d+)$/m.exec((await request(serving.admin, '/metrics')).body)?.[1])
  // More than the operating system takes for a reader.
  const heads = 'GET /llms-full.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(15)
  // A stream begins behind answers that are still being sent.
  const asked = 'GET /ask?query=games&streaming=true HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
  for (let i = 0; i < 5; i += 1) {
    const socket = connect({ port: serving.web, host: '127.0.0.1' })
    socket
      .on('error', () => {})
      .pause()
      .write(heads + asked)
    await once(socket, 'readable')
    socket.resetAndDestroy()
  }
  await eventually(async () => (await inFlight()) === 0)
  t.pass('all of them were closed')
  t.equal((await request(serving.web, '/llms.txt')).statusCode, 200)
})

await t.test('a parser that Node uses again carries no count of the connection before', async (t) => {
  const { open } = await limited(t, { maxInAll: 1000, maxPerCaller: null }, async (request, response) => {
    response.end(String((await text(request)).length))
  })
  // For CONNECT, Node lets go of the parser before the connection is closed.
  for (let round = 0; round < 10; round += 1) {
    const sockets = await Promise.all([open(), open(), open(), open()])
    for (const socket of sockets) socket.resume().write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    const next = await Promise.all([open(), open()])
    for (const socket of [...sockets, ...next]) socket.destroy()
  }
  const sent = async (pieces: readonly string[]) => {
    const socket = await open()
    let answer = ''
    socket.on('data', (bytes) => (answer += bytes))
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n')
    for (const piece of pieces) await new Promise((resolve) => socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`, resolve))
    socket.write('0\r\n\r\n')
    await once(socket, 'close')
    return answersIn(answer)[0]?.body
  }
  for (let i = 0; i < 4; i += 1) t.equal(await sent(Array.from({ length: 200 }, () => 'x')), '200')
  for (let i = 0; i < 8; i += 1) t.equal(await sent(['half ', 'and half']), '13')
})

await t.test('a caller that goes on far beyond its rate limit is disconnected, and others are not', async (t) => {
  const MAX_PER_CALLER = 4
  const { open, refused } = await limited(t, { maxInAll: 100, maxPerCaller: MAX_PER_CALLER }, (request, response) => {
    response.statusCode = request.url === '/over' ? 429 : 200
    response.end()
  })
  const idle = await open()
  let answers = 0
  const flood = async () => {
    const socket = await open()
    socket.on('data', (bytes) => (answers += String(bytes).split('HTTP/1.1 429').length - 1))
    socket.write('GET /over HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10))
    socket.end()
    await once(socket, 'close')
  }
  for (let i = 0; i < 20; i += 1) await flood()
  t.ok(answers <= 4 * MAX_PER_CALLER + 10, `${answers} refusals were sent, of 200`)
  t.ok(refused.length > 0)
  await eventually(async () => idle.closed)
  t.notOk(await isServed(await open()), 'nor is it served otherwise')
  t.ok(await isServed(await open('127.0.0.2')))
})
