/** `serve --workers`: several real processes behind the same ports, which nobody outside can tell from one. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { eventually } from '../contracts/subject.js'
import type { Response } from '../serving/answers.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { freePorts, Serving, spawnVitrine, takenPort } from '../serving/program.js'
import { request } from '../serving/sockets.js'
import { erased, played } from '../spec/events.js'
import { Script } from '../spec/script.js'

const WORKERS = 2

const TAGS = '/public/share/tags'

/** The processes that a process has started. */
function childrenOf(pid: number | undefined): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Every request on a connection of its own, so that they go round the workers. */
const many = (count: number, one: () => ReturnType<typeof request>) => Promise.all(Array.from({ length: count }, one))

await t.test('workers', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  await folder.append(script.write(...COMMUNITY))
  const serving = await Serving.start(t, folder.path, ['--workers', String(WORKERS), '--rate-limit-agent', '30'])
  await serving.ready()
  t.equal(childrenOf(serving.pid).length, WORKERS)
  const metric = async (line: RegExp) => eventually(async () => line.test((await request(serving.admin, '/metrics')).body))

  await t.test('share one set of idempotency keys', async (t) => {
    const body = JSON.stringify({ requests: [{ id: '1', operation: 'get_popular_tags' }] })
    const post = async (content: string) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'k-1', connection: 'close' }
      const response = await fetch(`http://127.0.0.1:${serving.web}/batch`, { method: 'POST', headers, body: content })
      return { status: response.status, replayed: response.headers.get('idempotency-replayed'), text: await response.text() }
    }
    const first = await post(body)
    t.match(first, { status: 200, replayed: null })
    for (let i = 0; i < 2 * WORKERS; i++) t.strictSame(await post(body), { ...first, replayed: 'true' }, 'the same answer again')
    t.equal((await post(body.replace('"1"', '"2"'))).status, 422, 'the key belongs to the first')
  })

  await t.test('share one limit and one set of metrics', async (t) => {
    // Where the machine itself has too much to do somebody may be turned away, and asks again.
    const letIn = async (): Promise<Response> => {
      const answer = await request(serving.web, '/robots.txt')
      return answer.statusCode === 503 ? letIn() : answer
    }
    const answers = await many(40, letIn)
    const passed = answers.filter(({ statusCode }) => statusCode === 200)
    t.equal(passed.length, 30, 'as many as one process would have let through')
    t.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 10)
    t.equal(new Set(passed.map(({ headers }) => headers['ratelimit-remaining'])).size, 30, 'counted one by one')
    await metric(/^vitrine_http_requests_total\{host="web",operation="GET \/robots.txt",status="200"\} 30$/m)
    await metric(/^vitrine_rate_limited_total\{class="agent"\} 10$/m)
    await metric(new RegExp(`^vitrine_projection_position\\{projection="feed"\\} ${COMMUNITY.length}$`, 'm'))
    await metric(/^vitrine_ready 1$/m)
    t.equal((await request(serving.admin, '/health/ready')).statusCode, 200)
  })

  await t.test('do not show a creator again whom one of them no longer shows', async (t) => {
    const urls = ['/public/share/user/ben', '/public/share/app/ben/Garden.Maze']
    const look = (url: string) => request(serving.api, url)
    for (const url of urls) for (const { statusCode } of await many(4 * WORKERS, () => look(url))) t.equal(statusCode, 200)
    await folder.append(script.write(erased('ben'), ...Array.from({ length: 20 }, () => played('tides'))))
    for (const url of urls) {
      await eventually(async () => (await look(url)).statusCode === 404)
      for (const { statusCode } of await many(8 * WORKERS, () => look(url))) t.equal(statusCode, 404, url)
    }
  })

  await t.test('are replaced when they die, and the others go on', async (t) => {
    t.equal(serving.stderr, '', 'so far there is nothing to complain about')
    const [victim = 0, ...rest] = childrenOf(serving.pid)
    process.kill(victim, 'SIGKILL')
    await eventually(async () => !childrenOf(serving.pid).includes(victim))
    t.equal((await request(serving.api, TAGS)).statusCode, 200, 'meanwhile somebody answers')
    await eventually(async () => childrenOf(serving.pid).length === WORKERS)
    t.ok(rest.every((pid) => childrenOf(serving.pid).includes(pid)))
    for (const { statusCode } of await many(2 * WORKERS, () => request(serving.api, TAGS))) t.equal(statusCode, 200)
    t.match(serving.stderr, /a worker ended: another takes its place/)
  })

  await t.test('end when told to', async (t) => {
    const last = childrenOf(serving.pid)
    t.equal(await serving.end('SIGTERM'), 0)
    t.notOk(last.some(isAlive), 'nobody is left behind')
  })

  await t.test('end with the process that started them, however it ends', async (t) => {
    const serving = await Serving.start(t, folder.path, ['--workers', String(WORKERS)])
    await serving.ready()
    const workers = childrenOf(serving.pid)
    await serving.end('SIGKILL')
    await eventually(async () => !workers.some(isAlive))
    t.pass('gone')
  })

  await t.test('a port that is taken is one line and exit code 2', async (t) => {
    const taken = String(await takenPort(t))
    const [one, two] = (await freePorts(2)).map(String)
    const ports = ['--api-port', String(one), '--web-port', taken, '--admin-port', String(two)]
    const { code, stdout, stderr } = await spawnVitrine(['serve', '--workers', '2', '--data-dir', folder.path, ...ports])
    t.strictSame([code, stdout], [2, ''])
    t.match(stderr, new RegExp(`^vitrine serve: port ${taken} is taken[^\n]*\n$`))
  })
})

const CLIENTS = 24
/** No head of an answer had come: the connection was refused, or closed between two requests. */
const NOT_ACCEPTED = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE']

for (const workers of ['1', '2']) {
  await t.test(`SIGTERM under load, ${workers} processes answering`, async (t) => {
    const folder = await DataFolder.open(t)
    await folder.append(new Script().write(...COMMUNITY))
    const serving = await Serving.start(t, folder.path, ['--workers', workers])
    await serving.ready()

    let answered = 0
    let told = false
    const cut: string[] = []
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      try {
        while (true) {
          const response = await begun(serving.api, agent)
          const body = await text(response).catch((error: Error) => error.message)
          const isWhole = Buffer.byteLength(body) === Number(response.headers['content-length'])
          // Where the machine itself has too much to do somebody may be turned away, and asks again.
          const wasLetIn = response.statusCode !== 503 || response.headers['retry-after'] === undefined
          if (!isWhole || (response.statusCode !== 200 && wasLetIn && !told)) cut.push(`${response.statusCode} ${body}`)
          if (response.statusCode === 200) answered += 1
          else if (told) return
        }
      } catch (error) {
        const { code = String(error) } = error as NodeJS.ErrnoException
        if (!NOT_ACCEPTED.includes(code) || !told) cut.push(code)
      } finally {
        agent.destroy()
      }
    }
    const clients = Array.from({ length: CLIENTS }, client)
    while (answered < 200) await request(serving.admin, '/health/live')
    t.equal((await request(serving.admin, '/health/ready')).statusCode, 200, 'it was ready')
    // This one waits for a position that does not come, so it is under way when the signal arrives.
    const waiting = request(serving.api, '/public/share/tags', { headers: { 'service-min-position': '1000' } })
    const before = answered
    while (answered < before + 100) await request(serving.admin, '/health/live')
    told = true
    const ended = serving.end('SIGTERM')
    const readiness: unknown[] = []
    // Somebody still waits for an answer, so the process is there to be asked.
    const asked = (async () => {
      while (true) readiness.push((await request(serving.admin, '/health/ready')).statusCode)
    })().catch(() => {})

    t.equal((await waiting).statusCode, 504, 'the one that waited is answered, too')
    await Promise.all(clients)
    t.equal(await ended, 0, 'it ends in peace')
    await asked
    t.ok(readiness.includes(503), `readiness turned while it was still answering: ${[...new Set(readiness)]}`)
    t.strictSame(cut, [], `no answer was cut short (${answered} answers)`)
  })
}

/** Settles with the head of the answer. */
async function begun(port: number, agent: Agent): Promise<IncomingMessage> {
  const outgoing = httpRequest({ host: '127.0.0.1', port, path: '/public/share/community?limit=2', agent })
  outgoing.end()
  const [response] = await once(outgoing, 'response')
  return response
}
