/** Large events: pages and commits end by their length, too, so that a burst of them fits into memory. */
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { readRecords } from '../../../src/engine/fold/log-page.js'
import { LogReader } from '../../../src/engine/fold/log-reader.js'
import { builtInEvents } from '../../../src/events/index.js'
import { type Position, START } from '../../../src/ports/event-log.js'
import { published, registered } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { World } from '../../spec/world.js'
import { decode } from '../../support/decode.js'
import { MemoryEventLog } from '../../support/memory-log.js'

const LANGUAGES = [...'abcdefghij'].flatMap((one) => [...'wxyz'].map((other) => one + other))
/** About 200,000 characters: as many languages and characters as an event may have. */
const description = Object.fromEntries(LANGUAGES.map((language) => [language, `${language} `.repeat(1666)]))
const COUNT = 180
/** Two pages' worth is far from all: 180 × 200,000. */
const MAX_LENGTH = 16_000_000
const MINUTE = 60_000

const records = new Script().write(
  registered('ada'),
  ...Array.from({ length: COUNT - 1 }, (_, i) => published(`c${i}`, { by: 'ada', description })),
)

async function filled(): Promise<MemoryEventLog> {
  const log = new MemoryEventLog()
  await log.append(records)
  return log
}

const lengthOf = (page: readonly { payload: string }[]) => page.reduce((sum, { payload }) => sum + payload.length, 0)

t.test('a page of a scan, of a load and of a live projection is cut, and the next one goes on', async (t) => {
  const log = await filled()
  const reader = new LogReader(log, builtInEvents)
  const [loading, live] = [reader.follow(), reader.follow()]
  const read = {
    scan: async (after: Position) => ({ events: await readRecords(log, after, 1000), isLast: null }),
    load: async (after: Position) => {
      const { events, isLast } = await loading.page(after, 1000)
      return { events: events.map(({ record }) => record), isLast }
    },
    live: async (after: Position) => {
      const events = await live.batch(after, { events: 1000, ageMs: 100 }, AbortSignal.timeout(60_000))
      return { events: events.map(({ record }) => record), isLast: null }
    },
  }
  for (const [what, page] of Object.entries(read)) {
    const found: string[] = []
    for (let after = START; found.length < COUNT; ) {
      const { events, isLast } = await page(after)
      t.ok(lengthOf(events) <= MAX_LENGTH, `${what}: a page of ${events.length} events`)
      found.push(...events.map(({ id }) => id))
      if (isLast !== null) t.equal(isLast, found.length === COUNT, `${what}: whether it is the last`)
      after = events.at(-1)?.position ?? after
    }
    t.strictSame(
      found,
      records.map(({ id }) => id),
      `${what}: each event once, in order`,
    )
  }
})

t.test('small events come in whole batches, also when none need be waited for', async (t) => {
  const log = new MemoryEventLog()
  await log.append(new Script().write(registered('ada'), ...Array.from({ length: 998 }, (_, i) => published(`c${i}`, { by: 'ada' }))))
  const batch = await new LogReader(log, builtInEvents).follow().batch(START, { events: 1000, ageMs: -MINUTE }, AbortSignal.timeout(60_000))
  t.equal(batch.length, 999)
})

t.test('a load commits large events in several steps', async (t) => {
  let commits = 0
  const world = await World.open(t, feedProjection, {
    loading: true,
    between: (store) => {
      const commit = store.commit.bind(store)
      return Object.assign(store, {
        commit: (...args: Parameters<typeof commit>) => {
          commits += 1
          return commit(...args)
        },
      })
    },
  })
  for (const record of records) await world.session.advance([{ record, decoded: decode(record) }], { defer: true })
  t.ok(commits >= 2, `${commits} commits`)
})
