/** Bodies that never come: 200 sockets send a head and one byte, and other callers are answered as if they were not there. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { COMMUNITY } from '../../harness/community.js'
import { DataFolder } from '../../harness/data-folder.js'
import { Serving } from '../../harness/program.js'
import { answersIn } from '../../harness/sockets.js'

const SOCKETS = 200
const QUESTIONS = 400
const LANES = 4
/** Far above what is normal: only a caller that waits for the attackers takes this long. */
const GUARD_MS = 5000

/** Each address of the loopback network is a caller: attackers are in 127.0.1, others in other networks. */
const attackerOf = (i: number) => `127.0.1.${1 + (i % 8)}`
const HEADS = [
  'POST /ask HTTP/1.1\r\nHost: x\r\n',
  'POST /batch HTTP/1.1\r\nHost: x\r\n',
  'POST /ask/jobs HTTP/1.1\r\nHost: x\r\n',
  'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  'POST /batch HTTP/1.1\r\nHost: x\r\nService-Min-Position: 0\r\n',
]

await t.test('200 slow bodies do not keep others from being answered', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const serving = await Serving.start(t, folder.path)
  await serving.ready()
  await askAll(serving.web, 4)
  const normal = await askAll(serving.web, 2)

  const attackers = await Promise.all(Array.from({ length: SOCKETS }, (_, i) => attack(serving.web, i)))
  t.teardown(() => {
    for (const { socket } of attackers) socket.destroy()
  })
  const during = await askAll(serving.web, 3)
  t.strictSame(during.statuses, [200], 'every question of another caller is answered')
  t.comment(`p99 of ${QUESTIONS} questions: ${normal.p99.toFixed(1)} ms, with ${SOCKETS} slow bodies ${during.p99.toFixed(1)} ms`)
  t.ok(during.p99 < GUARD_MS, 'and waits for no attacker')
  const outcomes = await Promise.all(attackers.map(({ outcome }) => outcome))
  t.ok(
    outcomes.every((status) => status === 408 || status === 429),
    `the attackers are told: ${JSON.stringify([...new Set(outcomes)])}`,
  )
  t.ok(outcomes.includes(408))
})

/** A head and one byte of twenty. `outcome`: the status of the answer, once the connection is closed. */
async function attack(port: number, i: number): Promise<{ socket: Socket; outcome: Promise<number | undefined> }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: attackerOf(i) })
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
    // After a 429 the connection stays open for other requests.
    if (received.includes(' 429 ')) socket.end()
  })
  const outcome = once(socket, 'close').then(() => answersIn(received)[0]?.statusCode)
  await once(socket, 'connect')
  socket.write(`${HEADS[i % HEADS.length]}Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{`)
  return { socket, outcome }
}

/** Questions of several callers, a few at a time. */
async function askAll(port: number, network: number): Promise<{ p99: number; statuses: (number | undefined)[] }> {
  const times: number[] = []
  const statuses = new Set<number | undefined>()
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      for (let i = lane; i < QUESTIONS; i += LANES) {
        const startedAt = performance.now()
        statuses.add(await ask(port, `127.0.${network}.${1 + (i % 10)}`))
        times.push(performance.now() - startedAt)
      }
    }),
  )
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  return { p99, statuses: [...statuses] }
}

async function ask(port: number, localAddress: string): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json' }
  const outgoing = request({ host: '127.0.0.1', port, path: '/ask', method: 'POST', headers, localAddress, agent: false })
  outgoing.end(JSON.stringify({ query: 'What is popular?' }))
  const [response] = await once(outgoing, 'response')
  await text(response)
  return response.statusCode
}
