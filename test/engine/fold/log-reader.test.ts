/** Projections of one process go through the log together: each event is read once, and no gap is shown to any. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { LogReader } from '../../../src/engine/fold/log-reader.js'
import { builtInEvents, type Position, START } from '../../../src/events/index.js'
import type { LogRecord } from '../../../src/ports/event-log.js'
import { MemoryEventLog } from '../../support/memory-log.js'
import { holds } from '../../support/property.js'

const records = (count: number): LogRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    position: (i + 1) as Position,
    id: `e${i + 1}`,
    subject: 'creation/c1',
    appendedAt: 0,
    payload: '{}',
  }))

/** Counts what it gives out. */
class CountingLog extends MemoryEventLog {
  delivered = 0
  waits = 0
  fault: Error | null = null

  override async read(after: Position, limit: number): Promise<LogRecord[]> {
    if (this.fault !== null) throw this.fault
    const found = await super.read(after, limit)
    this.delivered += found.length
    return found
  }

  override async next(after: Position, limit: number, signal: AbortSignal): Promise<LogRecord[]> {
    this.waits += 1
    return super.next(after, limit, signal)
  }
}

interface Pace {
  from: number
  limit: number
  turns: number
}

/** Reads pages to the end, with pauses of some turns of the event loop. */
async function goThrough(reader: LogReader, { from, limit, turns }: Pace): Promise<number[]> {
  const follower = reader.follow()
  const found: number[] = []
  for (let after = from as Position; ; ) {
    const { events, isLast } = await follower.page(after, limit)
    for (const { record } of events) found.push(record.position)
    after = events.at(-1)?.record.position ?? after
    if (isLast) break
    for (let i = 0; i < turns; i += 1) await new Promise(setImmediate)
  }
  follower.leave()
  return found
}

const span = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i + 1)

const COUNT = 12_000
const ALL = records(COUNT)

const pace = fc.record({ from: fc.nat(COUNT + 10), limit: fc.integer({ min: 200, max: 3000 }), turns: fc.nat(6) })

holds(
  t,
  'at any pace and from anywhere, also of those left behind, each gets every event once and in order',
  fc.record({ paces: fc.array(pace, { minLength: 1, maxLength: 4 }), maxPauseMs: fc.constantFrom(0, 5000) }),
  async ({ paces, maxPauseMs }) => {
    const reader = new LogReader(new MemoryEventLog(ALL), builtInEvents, { maxPauseMs })
    const found = await Promise.all(paces.map((pace) => goThrough(reader, pace)))
    for (const [i, { from }] of paces.entries()) assert.deepEqual(found[i], span(from, COUNT))
  },
  50,
)

t.test('those that begin together read each event once, however slow one is', async (t) => {
  const log = new CountingLog(records(COUNT))
  const reader = new LogReader(log, builtInEvents)
  const paces = [2500, 1000, 700].map((limit, i) => ({ from: 0, limit, turns: 3 * i }))
  for (const found of await Promise.all(paces.map((pace) => goThrough(reader, pace)))) t.strictSame(found, span(0, COUNT))
  t.equal(log.delivered, COUNT)
})

t.test('one that pauses holds up the others no longer than it may, and joins them when it is back', async (t) => {
  const log = new CountingLog(records(3 * COUNT))
  const reader = new LogReader(log, builtInEvents, { maxPauseMs: 20 })
  const slow = reader.follow()
  const { events } = await slow.page(START, 1000)
  t.strictSame(await goThrough(reader, { from: 0, limit: 1000, turns: 0 }), span(0, 3 * COUNT))
  const readOnce = log.delivered
  t.equal(readOnce, 3 * COUNT)
  const ahead = reader.follow()
  await ahead.page((3 * COUNT - 2000) as Position, 1000)
  t.equal(log.delivered - readOnce, 1000, 'what all have left is read again')
  let after = events.at(-1)?.record.position ?? START
  while (after < 3 * COUNT) after = (await slow.page(after, 1000)).events.at(-1)?.record.position ?? after
  t.equal(log.delivered, readOnce + 1000 + (3 * COUNT - 1000) - 1000, 'all but what the other one holds')
})

t.test('one that leaves holds up nobody', async (t) => {
  const log = new CountingLog(records(2 * COUNT))
  const reader = new LogReader(log, builtInEvents, { maxPauseMs: 600_000 })
  const left = reader.follow()
  await left.page(START, 10)
  const ahead = goThrough(reader, { from: 0, limit: 1000, turns: 0 })
  left.leave()
  t.equal((await ahead).length, 2 * COUNT)
})

t.test('a single page of another kind neither waits nor holds up, and uses what is held', async (t) => {
  const log = new CountingLog(records(100))
  const reader = new LogReader(log, builtInEvents)
  const follower = reader.follow()
  await follower.page(START, 50)
  t.strictSame(
    (await reader.readPage(20 as Position, 10)).events.map(({ record }) => record.position),
    span(20, 30),
  )
  t.equal(log.delivered, 50)
  t.strictSame(await reader.readPage(50 as Position, 50).then(({ events, isLast }) => [events.length, isLast]), [50, false])
  t.strictSame(await reader.readPage(90 as Position, 50).then(({ events, isLast }) => [events.length, isLast]), [10, true])
})

t.test('those that wait share the wait, and one that gives up ends it only for itself', async (t) => {
  const log = new CountingLog(records(3))
  const reader = new LogReader(log, builtInEvents)
  const end = 3 as Position
  const leaving = new AbortController()
  const batch = (signal: AbortSignal) => reader.follow().batch(end, { events: 10, ageMs: 0 }, signal)
  const batches = [batch(new AbortController().signal), batch(leaving.signal), batch(new AbortController().signal)]
  leaving.abort()
  t.strictSame(await batches[1], [])
  await log.append([{ id: 'e4', subject: 'creation/c1', payload: '{}' }])
  for (const found of [await batches[0], await batches[2]])
    t.strictSame(
      found?.map(({ record }) => record.id),
      ['e4'],
    )
  t.equal(log.waits, 1)
})

t.test('an error reaches all who read, and the next try starts again', async (t) => {
  const log = new CountingLog(records(10))
  const reader = new LogReader(log, builtInEvents)
  const [one, other] = [reader.follow(), reader.follow()]
  log.fault = new Error('away')
  const tries = await Promise.allSettled([one.page(START, 5), other.page(START, 5)])
  t.strictSame(
    tries.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  log.fault = null
  t.equal((await other.page(START, 5)).events.length, 5)
  t.strictSame((await one.page(START, 50)).events.length, 5, 'what is held comes first')
})

t.test('after the log was replaced nothing that was read before is given out', async (t) => {
  const log = new CountingLog(records(10))
  const reader = new LogReader(log, builtInEvents)
  const follower = reader.follow()
  await follower.page(START, 10)
  const { era } = reader
  const reading = reader.readPage(10 as Position, 10)
  reader.forget()
  await t.rejects(reading, /replaced/)
  t.throws(() => reader.assertEra(era), /replaced/)
  t.equal((await follower.page(START, 10)).events.length, 10)
  t.equal(log.delivered, 20, 'read again')
})

t.test('waits without events leave nothing behind, and a page of an era that is over is refused', async (t) => {
  const log = new CountingLog(records(3))
  const reader = new LogReader(log, builtInEvents)
  const [one, other] = [reader.follow(), reader.follow()]
  const stop = new AbortController()
  const long = other.batch(3 as Position, { events: 10, ageMs: 0 }, stop.signal)
  for (let i = 0; i < 50; i += 1) {
    const short = new AbortController()
    const batch = one.batch(3 as Position, { events: 10, ageMs: 0 }, short.signal)
    short.abort()
    t.strictSame(await batch, [])
  }
  t.equal(log.waits, 1, 'they shared the wait of the other')
  stop.abort()
  t.strictSame(await long, [])
  const { era } = reader
  reader.forget()
  await t.rejects(reader.readPage(START, 1, era), /replaced/)
})
