/** Custom reads that hang, on a started service: what they leave to others. */
import t from 'tap'
import { eventually } from '../../ports/subject.js'
import { erased, registered } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { type Caller, HostileService } from './hostile-service.js'

/** A second is far from five, which a slot held by a hanging read would cost, and from what a read takes. */
const MAX_SLOWDOWN = 50

const times = <T>(count: number, one: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => one(i)))

const service = await HostileService.start(t)

t.test('hanging reads hold places of their own', async (t) => {
  let count = 0
  /** Reads that are not cached, on every surface. The time of the slowest. */
  const builtIn = async (): Promise<number> => {
    const took: number[] = []
    const timed = async (read: () => Promise<unknown>, answer: object) => {
      const startedAt = performance.now()
      t.match(await read(), answer)
      took.push(performance.now() - startedAt)
    }
    for (let i = 0; i < 4; i++) {
      const q = `word${++count}`
      await timed(() => service.get(`/public/share/community?q=${q}`, '127.0.0.9'), { statusCode: 200 })
      await timed(() => service.batch('get_community_feed', { q: `${q}b` }, '127.0.0.9'), { status: 200 })
      await timed(() => service.tool('get_community_feed', { q: `${q}c` }, '127.0.0.9'), { structuredContent: { items: [] } })
    }
    return Math.max(...took)
  }
  await builtIn()
  const alone = await builtIn()

  const [rest, batch, tool]: Caller[] = ['127.0.0.2', '127.0.0.3', '127.0.0.4']
  let ended = 0
  const hanging = Promise.all([
    times(12, (i) => service.own('hang', { id: i }, rest).finally(() => ended++)),
    times(12, (i) => service.batch('x_gardens_hang', { id: `b${i}` }, batch).finally(() => ended++)),
    times(12, (i) => service.tool('x_gardens_hang', { id: `t${i}` }, tool).finally(() => ended++)),
  ])
  const beside = await builtIn()
  t.ok(beside < MAX_SLOWDOWN * alone, `built-in reads go on: ${beside} ms instead of ${alone} ms`)
  await eventually(async () => ended >= 3 * 8)
  t.equal(ended, 3 * 8, 'refused while the others hang')
  for (const caller of [rest, batch, tool]) t.match(await service.own('quick', { id: `over-${caller}` }, caller), { statusCode: 503 })

  const [refused, joined] = await Promise.all([
    service.own('quick', { id: 'same' }, rest),
    service.own('quick', { id: 'same' }, '127.0.0.5'),
  ])
  t.match(refused, { statusCode: 503, headers: { 'retry-after': '1' } })
  t.match(JSON.parse(refused.body), {
    error: 'upstream_unavailable',
    message: 'You have too many of these reads running.',
    retryable: true,
  })
  t.equal(joined.statusCode, 200, 'who asks for the same is not refused with them')
  t.equal(ended, 3 * 8, 'all of this while they hang')

  const [byRest, byBatch, byTool] = await hanging
  const statuses = (answers: readonly number[]) => answers.toSorted()
  const expected = [...Array(8).fill(503), ...Array(4).fill(504)]
  t.strictSame(statuses(byRest.map(({ statusCode }) => statusCode)), expected)
  t.strictSame(statuses(byBatch.map(({ status }) => status)), expected)
  t.equal(byTool.filter(({ isError }) => isError).length, 12)
  t.equal((await service.own('quick', { id: 'again' }, rest)).statusCode, 200, 'a place is free once the answer is given up')
  const burst = await times(40, (i) => service.own('quick', { id: `burst${i}` }))
  t.ok(
    burst.every(({ statusCode }) => statusCode === 200),
    'quick ones wait for each other',
  )
  t.notMatch(service.serving.stderr, 'too many of these reads', 'a refusal writes no line')
})

t.test('requests that wait for the same hanging read hold no slots', async (t) => {
  let ended = 0
  const hanging = times(40, (i) => service.batch('x_gardens_hang', { id: 'joined' }, `127.0.0.${20 + (i % 10)}`).finally(() => ended++))
  for (let i = 0; i < 20; i++) t.match(await service.batch('get_community_feed', { q: `joined${i}` }, '127.0.0.9'), { status: 200 })
  t.equal(ended, 0, 'built-in reads are answered while they wait')
  t.ok((await hanging).every(({ status }) => status === 504))
})

t.test('twenty callers with hanging reads leave places to others; all callers together have places, too', async (t) => {
  let id = 0
  const quick = (caller: Caller) => service.own('quick', { id: `a${id++}` }, caller)
  const hang = (count: number, caller: (i: number) => Caller) =>
    times(count, (i) => service.own('hang', { id: `a${id++}-${i}` }, caller(i)))
  const twenty = hang(80, (i) => `127.0.1.${1 + (i % 20)}`)
  // Beyond its first, each has to wait from now on.
  await eventually(async () => (await quick('127.0.1.1')).statusCode === 503)
  for (let i = 0; i < 5; i++) t.equal((await quick('127.0.0.9')).statusCode, 200)
  const eighty = hang(80, (i) => `127.0.2.${1 + i}`)
  await eventually(async () => /Too many of these reads are running/.test((await quick('127.0.0.9')).body))
  t.equal((await service.get('/public/share/tags', '127.0.0.9')).statusCode, 200, 'built-in reads do without')
  await Promise.all([twenty, eighty])
  t.equal((await quick('127.0.0.9')).statusCode, 200)
})

t.test('a removal ends reads that run for longer than a second: their snapshots hold up erasure', async (t) => {
  const script = new Script()
  let message = ''
  // On a busy machine a removal may come after the read has ended by itself.
  for (let i = 0; i < 5 && !/was removed/.test(message); i++) {
    const events = script.write(registered(`ann${i}`), erased(`ann${i}`)).map(({ payload }) => payload)
    const [hanging, published] = await Promise.all([
      service.own('hang', { id: `removal${i}` }, '127.0.3.1'),
      service.publish(events.join('\n')),
    ])
    t.match([hanging, published], [{ statusCode: 504 }, { code: 0 }])
    message = JSON.parse(hanging.body).message
  }
  t.match(message, 'x_gardens_hang was given up, because something was removed while it ran.')
})
