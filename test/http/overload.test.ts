/** More requests than can be served: some are served, the rest hear a quick no, and afterwards all is as before. */
import { Agent } from 'node:http'
import t from 'tap'
import { Overload } from '../../src/http/overload.js'
import { refused } from '../serving/answers.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { Serving } from '../serving/program.js'
import { Service } from '../serving/service.js'
import { request } from '../serving/sockets.js'
import { Script } from '../spec/script.js'

const AWAITED = { 'service-min-position': String(COMMUNITY.length + 1) }
const READ = '/public/share/community'

await t.test('a host that is asked for more than it can hold', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, waitMs: 60_000, overload: { maxInFlight: 8 } })
  const [api, web, admin] = [await service.listen(service.api), await service.listen(service.web), await service.listen(service.admin)]
  const shedSoFar = async () =>
    Number(/vitrine_shed_total\{host="api",reason="crowded"\} (\d+)/.exec((await request(admin, '/metrics')).body)?.[1])
  t.equal(await shedSoFar(), 0, 'shed requests are counted from nothing')

  // These wait for an event that has not come yet, so they stay under way for as long as the test needs.
  const accepted = Array.from({ length: 8 }, () => request(api, READ, { headers: AWAITED }))
  let turnedAway = await request(api, '/public/share/tags')
  while (turnedAway.statusCode === 200) turnedAway = await request(api, '/public/share/tags')

  await t.test('turns the rest away, on both public hosts, in words', async (t) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        request(i % 2 === 0 ? api : web, i % 4 < 2 ? READ : '/nothing', { headers: { origin: 'https://page.example' } }),
      ),
    )
    for (const answer of [turnedAway, ...answers]) {
      refused(t, answer, 503, 'upstream_unavailable')
      t.match(answer.headers, { 'retry-after': '1', 'x-content-type-options': 'nosniff' })
    }
    for (const answer of answers) t.equal(answer.headers['access-control-allow-origin'], '*', 'which pages of others can read, too')
    t.ok((await shedSoFar()) >= 20, 'and counts them')
  })

  await t.test('is still watched', async (t) => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) t.equal((await request(admin, path)).statusCode, 200, path)
  })

  await t.test('keeps its word to those it let in, and recovers', async (t) => {
    await service.tell(COMMUNITY[0] as (typeof COMMUNITY)[number])
    for (const { statusCode } of await Promise.all(accepted)) t.equal(statusCode, 200)
    let after = await request(api, READ)
    while (after.statusCode === 503) after = await request(api, READ)
    t.equal(after.statusCode, 200)
    const again = await Promise.all(Array.from({ length: 6 }, () => request(api, READ)))
    for (const { statusCode } of again) t.equal(statusCode, 200, 'every place is free again')
  })

  await t.test('frees the places of those who hang up', async (t) => {
    const impatient = new Agent()
    const lost = Array.from({ length: 8 }, () =>
      request(api, READ, { headers: { 'service-min-position': String(COMMUNITY.length + 2) }, agent: impatient }).catch(
        (error: NodeJS.ErrnoException) => error.code,
      ),
    )
    while ((await request(api, READ)).statusCode === 200);
    for (const socket of Object.values(impatient.sockets).flat()) socket?.destroy()
    t.strictSame(await Promise.all(lost), Array(8).fill('ECONNRESET'))
    while ((await request(api, READ)).statusCode === 503);
    t.equal((await request(api, READ)).statusCode, 200)
    // What they waited for comes, so that nothing waits for it any longer.
    await service.tell(COMMUNITY[0] as (typeof COMMUNITY)[number])
  })
})

await t.test('an event loop that is late', async (t) => {
  const late = () => {
    const until = performance.now() + 60
    while (performance.now() < until);
  }
  const shed: string[] = []
  const overload = new Overload({ maxLateMs: 20, shed: (host, why) => shed.push(`${host} ${why}`) })
  t.teardown(() => overload.stop())

  late()
  for (let i = 0; i < 100; i += 1) overload.enter('api')
  t.strictSame(shed, [], 'still answers the few that waited')
  t.throws(() => overload.enter('api'), { name: 'OverloadedError', status: 503 }, 'but no crowd')
  t.strictSame(shed, ['api late'])
  // Timers run before the next turn: that one is not late any more.
  await new Promise((resolve) => setTimeout(resolve, 1))
  for (let i = 0; i < 100; i += 1) overload.enter('web')
  t.equal(shed.length, 1, 'and takes everybody again once it has caught up')
})

await t.test('a turn of the event loop that has taken long, and many', async (t) => {
  const overload = new Overload()
  t.teardown(() => overload.stop())
  const work = () => {
    const until = performance.now() + 3
    while (performance.now() < until);
  }
  let taken = 0
  t.throws(
    () => {
      for (; taken < 100; taken += 1) {
        overload.enter('api')
        work()
        overload.leave()
      }
    },
    { name: 'OverloadedError' },
    'takes no more, however few are under way at the same time',
  )
  t.ok(taken >= 32, 'but what a few people do at once is no crowd')
  await new Promise((resolve) => setTimeout(resolve, 1))
  overload.enter('api')
  t.pass('and the next one takes again')
})

await t.test('a program that finds a crowd before its door', async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...COMMUNITY))
  const serving = await Serving.start(t, folder.path)
  await serving.ready()
  const agent = new Agent({ keepAlive: true, maxSockets: 300 })
  t.teardown(() => agent.destroy())
  const seen = new Set<number>()
  // All of them arrive while it stands still, so that it meets them in one turn; a few times, should the first not be enough.
  for (let round = 0; round < 20 && !(seen.has(200) && seen.has(503)); round += 1) {
    serving.signal('SIGSTOP')
    const crowd = Array.from({ length: 300 }, (_, i) => request(serving.web, `/?q=${round}-${i}`, { agent }))
    await new Promise((resolve) => setImmediate(resolve))
    serving.signal('SIGCONT')
    for (const { statusCode, headers } of await Promise.all(crowd)) {
      seen.add(statusCode)
      if (statusCode === 503) t.equal(headers['retry-after'], '1')
    }
  }
  t.strictSame([...seen].sort(), [200, 503], 'serves some and tells the others to come back')
  t.equal((await request(serving.web, '/')).statusCode, 200, 'and goes on')
  t.match((await request(serving.admin, '/metrics')).body, /vitrine_shed_total\{host="web",reason="late"\} [1-9]/)
  t.equal(serving.stderr, '', 'without a line for each')
})
