/** A log full of harm, under the whole program: the projector goes on, and no page, answer or header is broken by it. */
import t, { type Test } from 'tap'
import type { EventLog } from '../../src/ports/event-log.js'
import { Cluster } from '../cluster/cluster.js'
import { vitrine } from '../harness/command.js'
import { DataFolder } from '../harness/data-folder.js'
import { type Finished, Serving } from '../harness/program.js'
import { ATTACKERS, ATTACKS } from '../spec/attacks.js'
import { edited, published } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { hostileRecords } from './hostile-records.js'

interface Stage {
  log: EventLog
  caughtUp(): Promise<void>
  serve(): Promise<Serving>
  run(...args: string[]): Promise<Finished>
}

/** A few at a time: one that is too large for the log must not keep the others out. */
const TOGETHER = 20
/** Twice what a process of all roles takes after a quarter of an hour of honest work. */
const MEMORY = 600e6
/** Elements and scripts that must not come of any text. */
const COME_TRUE = /<script>window|<img src=x|<svg onload|href="javascript:|onerror="window/i

async function plays(t: Test, { log, caughtUp, serve, run }: Stage): Promise<void> {
  const script = new Script()
  const bad = hostileRecords()
  await log.append(script.write(...ATTACKERS, published('before', { by: 'mallory' })))
  const serving = await serve()
  for (let at = 0; at < bad.length; at += TOGETHER) await log.append(bad.slice(at, at + TOGETHER))
  await log.append(script.write(published('after', { by: 'mallory' }), edited('before', { title: { en: 'still edited' } })))
  await caughtUp()
  await serving.ready()

  await t.test('the projector goes on, and says what it has put aside', async (t) => {
    const feed = await read(serving.api, '/public/share/community?sort=recent&limit=48')
    for (const id of ['after', 'before', 'attack']) t.match(feed.body, `"id":"${id}"`)
    t.match(feed.body, 'still edited')
    t.equal((await read(serving.admin, '/health/ready')).status, 200)
    const status = await run('status', '--json')
    for (const { projection, parked } of JSON.parse(status.stdout).projections) {
      if (projection === 'shares') t.ok(parked > 150, `${parked} of ${bad.length} aggregates are parked`)
    }
    t.match(await run('verify', 'all'), { code: 0 }, 'and what is there is what a clean replay makes')
  })

  await t.test('every answer and page is whole', async (t) => {
    const answers = await everyAnswer(serving)
    t.strictSame(answers.flatMap(faultsOf), [], `${answers.length} answers`)
    const resident = Number(/^vitrine_process_resident_memory_bytes (\S+)/m.exec((await read(serving.admin, '/metrics')).body)?.[1])
    t.ok(resident < MEMORY, `${Math.round(resident / 1e6)} MB are resident after all that`)
  })
  t.equal(await serving.end('SIGTERM'), 0)
}

interface Answer {
  what: string
  status: number
  headers: Headers
  body: string
}

function faultsOf({ what, status, headers, body }: Answer): string[] {
  const faults: string[] = []
  if (status >= 500) faults.push(`${status} ${what}: ${body}`)
  for (const [name, value] of headers)
    if (/[\r\n]/.test(value) || (name !== 'location' && /hacked/.test(value))) faults.push(`${what}: ${name}: ${value}`)
  if (headers.has('set-cookie')) faults.push(`${what}: sets a cookie`)
  if (headers.get('x-content-type-options') !== 'nosniff') faults.push(`${what}: may be taken for something else`)
  if (/html|xml|svg/.test(headers.get('content-type') ?? '') && COME_TRUE.test(body)) faults.push(`${what}: more than text`)
  return faults
}

async function read(port: number, path: string, init: RequestInit = {}): Promise<Answer> {
  const ask = () => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
  // On a starved machine a kept connection may be closed before it is used again.
  const response = await ask().catch(ask)
  const what = `${init.method ?? 'GET'} ${path.slice(0, 60)} ${String(init.body ?? '').slice(0, 60)}`
  return { what, status: response.status, headers: response.headers, body: await response.text() }
}

const json = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

async function everyAnswer({ api, web, admin }: Serving): Promise<Answer[]> {
  const answers: Answer[] = []
  const attacks = ATTACKS.map(encodeURIComponent)
  const reads = [
    'community',
    'community?sort=liked',
    'tags',
    'community/landing',
    'user/mallory',
    'user/mallory/followers',
    'user/trudy/following',
  ]
  for (const path of [
    ...reads,
    'app/mallory/attack',
    'app/trudy/remix',
    ...attacks.flatMap((text) => [`community?q=${text}`, `community?tag=${text}`, `user/${text}`]),
  ])
    answers.push(await read(api, `/public/share/${path}`))
  const pages = [
    '/',
    '/?sort=liked',
    '/?category=games',
    '/@mallory',
    '/@trudy',
    '/@mallory/attack',
    '/@trudy/remix',
    '/docs',
    '/status',
    '/sitemap.xml',
    '/llms.txt',
  ]
  for (const path of [...pages, ...attacks.flatMap((text) => [`/?q=${text}`, `/@${text}`, `/@mallory/${text}`])])
    answers.push(await read(web, path))
  for (const path of ['/', '/metrics', '/api/board']) answers.push(await read(admin, path))
  for (const query of ['Who is mallory?', 'What is popular?', 'Tell me about attack by mallory', ...ATTACKS]) {
    answers.push(await read(web, '/ask', json({ query })))
    answers.push(await read(web, '/ask', json({ query, prefer: { streaming: true } })))
    answers.push(await read(web, '/ask/jobs', json({ query }, { 'idempotency-key': encodeURIComponent(query) })))
  }
  const mcp = (method: string, params: object) =>
    read(api, '/mcp', json({ jsonrpc: '2.0', id: 1, method, params }, { accept: 'application/json, text/event-stream' }))
  const tools: { name: string }[] = JSON.parse((await mcp('tools/list', {})).body).result.tools
  for (const { name } of tools) {
    for (const given of [{}, { handle: 'mallory' }, { handle: 'mallory', slug: 'attack' }, { q: ATTACKS[0] }, { query: ATTACKS[1] }])
      answers.push(await mcp('tools/call', { name, arguments: given }))
  }
  const requests = [...reads.keys()].map((id) => ({ id: ATTACKS[id] ?? String(id), operation: 'get_popular_tags', arguments: {} }))
  answers.push(await read(web, '/batch', json({ requests })))
  return answers
}

await t.test('on SQLite', async (t) => {
  const folder = await DataFolder.open(t)
  await plays(t, {
    log: folder.log,
    caughtUp: () => folder.caughtUp(),
    serve: () => Serving.start(t, folder.path, ['--rate-limit-agent', 'off', '--rate-limit-mcp', 'off']),
    run: (...args) => vitrine([...args, '--data-dir', folder.path]),
  })
})

await t.test('on NATS and MongoDB', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  await plays(t, {
    log: cluster.log,
    caughtUp: () => cluster.caughtUp(),
    serve: () => cluster.serve(t, 'query,project,ask', '--rate-limit-agent', 'off', '--rate-limit-mcp', 'off'),
    run: (command = '', ...args) => cluster.run(command, ...args),
  })
})
