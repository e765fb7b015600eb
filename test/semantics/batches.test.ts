/** How long an event waits for others to be folded with. */
import t from 'tap'
import { LogReader } from '../../src/engine/fold/log-reader.js'
import { builtInEvents, START } from '../../src/events/index.js'
import { MemoryEventLog } from '../support/memory-log.js'

const MINUTE = 60_000
const told = (id: string) => ({ id, subject: 'creation/c1', payload: '{}' })
const never = new AbortController().signal
const follow = (log: MemoryEventLog) => new LogReader(log, builtInEvents).follow()

t.test('a single event does not wait', async (t) => {
  const log = new MemoryEventLog()
  const batch = follow(log).batch(START, { events: 10, ageMs: -MINUTE }, never)
  await log.append([told('a')])
  t.equal((await batch).length, 1)
})

t.test('neither do events that arrived while the previous batch was being folded', async (t) => {
  const log = new MemoryEventLog()
  await log.append(['a', 'b', 'c'].map(told))
  t.equal((await follow(log).batch(START, { events: 10, ageMs: -MINUTE }, never)).length, 3)
})

t.test('right after another batch it waits for more events, until the batch is full', async (t) => {
  const log = new MemoryEventLog()
  const batch = follow(log).batch(START, { events: 3, ageMs: MINUTE }, never)
  for (const id of ['a', 'b', 'c', 'd']) await log.append([told(id)])
  t.strictSame(
    (await batch).map(({ record }) => record.id),
    ['a', 'b', 'c'],
  )
})

t.test('or until it has waited long enough', async (t) => {
  const log = new MemoryEventLog([])
  await log.append([told('a')])
  const began = performance.now()
  t.equal((await follow(log).batch(START, { events: 3, ageMs: 20 }, never)).length, 1)
  t.ok(performance.now() - began >= 19, 'timers may be a little early')
})
