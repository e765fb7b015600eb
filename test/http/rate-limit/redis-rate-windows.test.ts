/** Rate limits of several processes in one real Redis. */
import { pino } from 'pino'
import t from 'tap'
import { RateLimit } from '../../../src/http/rate-limit/rate-limit.js'
import { RedisRateWindows } from '../../../src/rate-limit/redis-rate-windows.js'
import { eventually } from '../../ports/subject.js'
import { startRedis } from '../../servers/redis.js'
import { keepsItsNumber } from './window-contract.js'

const NOW = 1_800_000_000_000
/** Nothing here waits for a silent Redis: a stopped one refuses at once. */
const PATIENCE_MS = 30_000

/** One process: its own connection, its own classes. */
function processOf(t: Parameters<typeof startRedis>[0], url: string, now: () => number = () => NOW, trustsCallersClock = true) {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) })
  const shared = new RedisRateWindows(url, log, { timeoutMs: PATIENCE_MS, trustsCallersClock })
  t.teardown(() => shared.close())
  const limit = new RateLimit('public', 10, { windows: shared.forClass('public'), now })
  const other = new RateLimit('agent', 10, { windows: shared.forClass('agent'), now })
  const passes = async (address: string, cost = 1) => (await limit.take(address, cost))?.allowed === true
  return { passes, other, warnings, windows: shared.forClass('contract') }
}

/** Counted in Redis, not in a process that has just begun to connect: the second process sees what the first has spent. */
async function connected(t: Parameters<typeof startRedis>[0], url: string) {
  const [a, b] = [processOf(t, url), processOf(t, url)]
  let round = 0
  await eventually(async () => {
    const probe = `10.0.0.${++round}`
    await a.passes(probe, 10)
    return !(await b.passes(probe))
  })
  return [a, b] as const
}

await t.test('processes share the limit of a caller, to the last request', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const [a, b] = await connected(t, server.url)
  const verdicts = await Promise.all(Array.from({ length: 16 }, (_, i) => (i % 2 ? a : b).passes('192.0.2.1')))
  t.equal(verdicts.filter((passed) => passed).length, 10)
  t.equal(await b.passes('192.0.2.2'), true, 'another caller has its own limit')
  t.match(await a.other.take('192.0.2.1'), { allowed: true }, 'and every class has')
  t.equal(await a.passes('192.0.2.3', 8), true)
  t.equal(await b.passes('192.0.2.3', 3), false, 'what does not fit costs nothing')
  t.equal(await b.passes('192.0.2.3', 2), true)
})

await t.test('machines whose clocks differ share the limit, too', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  await connected(t, server.url)
  const machines = [processOf(t, server.url, () => NOW, false), processOf(t, server.url, () => NOW + 61_000, false)]
  const verdicts: boolean[] = []
  for (let i = 0; i < 40; i++) verdicts.push((await machines[i % 2]?.passes('192.0.2.1')) === true)
  t.equal(verdicts.filter((passed) => passed).length, 10)
})

await t.test('processes keep the limits that they share', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const processes = (await connected(t, server.url)).map(({ windows }) => windows)
  await keepsItsNumber(t, { processes, numRuns: 100 })
})

await t.test('while Redis is away each process counts for itself, then they share again', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const [a, b] = await connected(t, server.url)
  await server.process.kill()
  for (const { passes } of [a, b]) {
    const verdicts: boolean[] = []
    for (let i = 0; i < 12; i++) verdicts.push(await passes('192.0.2.9'))
    t.equal(verdicts.filter((passed) => passed).length, 10)
  }
  t.equal(a.warnings.length, 1, 'said once, not with every request')
  await server.process.start()
  let round = 0
  await eventually(async () => {
    const probe = `10.1.0.${++round}`
    await a.passes(probe, 10)
    return !(await b.passes(probe))
  })
  t.equal(a.warnings.length, 2)
})
