/** Walking the feed shows each item that does not move exactly once, even if all others move. */
import { deepStrictEqual, equal, rejects } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { ServiceError } from '../../src/contract/errors.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { busyLogs } from '../reference-model/busy-logs.js'
import { Community, type FeedQuestion } from '../reference-model/community.js'
import type { Sort } from '../reference-model/public-view.js'
import { published, registered } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { memoryStore } from '../support/memory-store.js'
import { DOMAIN, eventsOf, Reader } from '../support/models.js'
import { Folding } from '../support/project-log.js'
import { holds } from '../support/property.js'

const SORTS: readonly Sort[] = ['trending', 'recent', 'popular', 'remixed', 'liked']
const FILTERS: readonly FeedQuestion[] = [
  {},
  { category: 'games' },
  { tag: 'fun' },
  { featuredOnly: true },
  { category: 'games', tag: 'fun' },
  { category: 'home-life', featuredOnly: true },
  { tag: 'habit-tracking', featuredOnly: true },
  { category: 'games', tag: 'fun', featuredOnly: true },
  { q: 'apple' },
  { q: 'red apple', category: 'games' },
  { q: 'noir', tag: 'fun', featuredOnly: true },
]
const question = fc
  .tuple(fc.constantFrom(...SORTS), fc.constantFrom(...FILTERS))
  .map(([sort, filter]): FeedQuestion => ({ sort, ...filter }))

await holds(
  t,
  'semantics 13: while nothing changes: every creation once, in order, under every sort and filter',
  fc.tuple(busyLogs(), fc.integer({ min: 1, max: 9 })),
  async ([{ records }, limit]) => {
    const store = memoryStore()
    const folding = await Folding.begin(feedProjection, { store })
    await folding.through(records)
    const community = new Community(eventsOf(records), DOMAIN)
    for (const sort of SORTS) {
      for (const filter of FILTERS) {
        const asked = { sort, ...filter }
        const { items, total } = community.feed(asked)
        const pages = await walk(new Reader(store), asked, limit, async () => {})
        deepStrictEqual(
          pages.flatMap((page) => page.ids),
          items.map(({ id }) => id),
          JSON.stringify(asked),
        )
        for (const page of pages) equal(page.total, total)
        for (const page of pages.slice(0, -1)) equal(page.ids.length, limit, 'only the last page may be short')
      }
    }
  },
  100,
)

/** What happens between two pages: some events are folded, the process restarts, the generation is rebuilt. */
type Step = { events: number } | 'restart' | 'rebuild'

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ events: fc.integer({ min: 1, max: 6 }) }) },
    { weight: 1, arbitrary: fc.constantFrom<Step[]>('restart', 'rebuild') },
  ),
  { minLength: 1, maxLength: 12 },
)

await holds(
  t,
  'semantics 13: while they move: each creation whose key stood still exactly once, across commits, restarts and rebuilds',
  fc.tuple(busyLogs(), question, fc.integer({ min: 1, max: 5 }), steps, fc.integer({ min: 30, max: 60 })),
  async ([{ records }, asked, limit, plan, start]) => {
    const store = memoryStore()
    let folding = await Folding.begin(feedProjection, { store })
    let folded = start
    await folding.through(records.slice(0, folded))
    const moments = [momentAt(records, folded, asked)]
    const happen = async (step: Step) => {
      if (step === 'rebuild') folding = await Folding.begin(feedProjection, { store, cut: [7] })
      else if (step === 'restart') folding.restart()
      else folded += step.events
      await folding.through(records.slice(0, folded))
      moments.push(momentAt(records, folded, asked))
    }
    const remaining = [...plan]
    const pages = await walk(new Reader(store), asked, limit, async () => {
      const step = remaining.shift()
      if (step !== undefined) await happen(step)
    })
    const seen = pages.flatMap((page) => page.ids)
    for (const [id, key] of moments[0] ?? []) {
      if (moments.every((moment) => moment.get(id) === key)) equal(seen.filter((other) => other === id).length, 1, `${id} in ${seen}`)
    }
  },
  200,
)

await t.test('semantics 13: a cursor is bound to its query', async (t) => {
  const store = memoryStore()
  const script = new Script()
  const twenty = Array.from({ length: 20 }, (_, i) => published(`c${i}`, { by: 'ann', category: 'games', tags: ['x'] }))
  await (await Folding.begin(feedProjection, { store })).through(script.write(registered('ann'), ...twenty))
  const reader = new Reader(store)
  const query = { sort: 'recent', category: 'games', tag: 'x', q: 'title', limit: 3 }
  const { next_cursor: cursor } = await reader.feed(query)
  t.equal((await reader.feed({ ...query, cursor })).items.length, 3)
  t.equal((await reader.feed({ ...query, cursor, limit: 7, locale: 'de' })).items.length, 7, 'with another limit and language too')
  const refused = (error: unknown) => error instanceof ServiceError && error.status === 422
  for (const other of [{ sort: 'liked' }, { category: 'music' }, { tag: 'y' }, { q: 'other' }, { featuredOnly: true }, { q: undefined }])
    await rejects(reader.feed({ ...query, ...other, cursor }), refused, JSON.stringify(other))
  await rejects(reader.feed({ ...query, cursor: `${cursor}A` }), refused)
})

/** Each creation in the feed at that moment, and the key it is sorted by. */
function momentAt(records: readonly LogRecord[], folded: number, asked: FeedQuestion): Map<string, number> {
  const community = new Community(eventsOf(records.slice(0, folded)), DOMAIN)
  return new Map(community.feed(asked).items.map(({ id }) => [id, community.sortValue(id, asked.sort ?? 'trending')]))
}

interface Page {
  ids: string[]
  total: number
}

async function walk(reader: Reader, asked: FeedQuestion, limit: number, between: () => Promise<void>): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await reader.feed({ ...asked, limit, cursor })
    pages.push({ ids: page.items.map(({ id }) => id), total: page.total })
    equal(page.hasMore, page.next_cursor !== null)
    if (page.next_cursor === null) return pages
    cursor = page.next_cursor
    await between()
  }
}
