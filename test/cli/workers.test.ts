/** `serve --workers`: several real processes on the same ports, which look like one from outside. */

import t from 'tap'
import type { Response } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { stopUnderLoad } from '../harness/graceful-stop.js'
import { Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { erased, played } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { childrenOf, isThere } from '../support/linux-processes.js'

const WORKERS = 2

const TAGS = '/public/share/tags'

/** Every request on a new connection, so that all workers get some. */
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
    // On an overloaded machine a request may get a 503, and is sent again.
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

  await t.test('do not show a creator again after one of them has seen the removal', async (t) => {
    const urls = ['/public/share/user/ben', '/public/share/app/ben/Garden.Maze']
    const look = (url: string) => request(serving.api, url)
    for (const url of urls) for (const { statusCode } of await many(4 * WORKERS, () => look(url))) t.equal(statusCode, 200)
    const repeat = async () => {
      const requests = [{ id: '1', operation: 'get_creator_profile', arguments: { handle: 'ben' } }]
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'k-ben', connection: 'close' }
      return (await fetch(`http://127.0.0.1:${serving.web}/batch`, { method: 'POST', headers, body: JSON.stringify({ requests }) })).text()
    }
    t.match(await repeat(), /"displayName":"Ben"/)
    await folder.append(script.write(erased('ben'), ...Array.from({ length: 20 }, () => played('tides'))))
    for (const url of urls) {
      await eventually(async () => (await look(url)).statusCode === 404)
      for (const { statusCode } of await many(8 * WORKERS, () => look(url))) t.equal(statusCode, 404, url)
    }
    for (let i = 0; i < 2 * WORKERS; i++) t.notMatch(await repeat(), /Ben/, 'nor the reply that the supervisor kept')
  })

  await t.test('are replaced when they die, and the others go on', async (t) => {
    t.notMatch(serving.stderr, /worker/, 'so far there is nothing to say about them')
    const [victim = 0, ...rest] = childrenOf(serving.pid)
    process.kill(victim, 'SIGKILL')
    await eventually(async () => !childrenOf(serving.pid).includes(victim))
    t.equal((await request(serving.api, TAGS)).statusCode, 200, 'another worker answers in the meantime')
    await eventually(async () => childrenOf(serving.pid).length === WORKERS)
    t.ok(rest.every((pid) => childrenOf(serving.pid).includes(pid)))
    for (const { statusCode } of await many(2 * WORKERS, () => request(serving.api, TAGS))) t.equal(statusCode, 200)
    await eventually(async () => /a worker ended: another takes its place/.test(serving.stderr))
    t.pass('and the log says it')
  })

  await t.test('stop on a signal, and answer all admitted requests', async (t) => {
    const last = childrenOf(serving.pid)
    await stopUnderLoad(t, serving)
    t.notOk(last.some(isThere), 'no process is left')
  })

  await t.test('end with the process that started them, however it ends', async (t) => {
    const serving = await Serving.start(t, folder.path, ['--workers', String(WORKERS)])
    await serving.ready()
    const workers = childrenOf(serving.pid)
    await serving.end('SIGKILL')
    await eventually(async () => !workers.some(isThere))
    t.pass('gone')
  })
})
