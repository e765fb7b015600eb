import t, { type Test } from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { SORTS, type Sort } from '../../readmodels/feed/documents.js'
import { CommunityFeedPage, getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { ServiceError } from '../../src/contract/errors.js'
import { PublicUrls } from '../../src/contract/public-urls.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import { but, edited, featured, liked, minutes, played, published, registered, removed, type Told, unpublished } from '../spec/events.js'
import { openedStore } from '../spec/opened-store.js'
import { Script } from '../spec/script.js'
import { World } from '../spec/world.js'

interface Feed {
  script: Script
  model: World
  /** Folds the whole log into a new generation and shows it. */
  rebuild(): Promise<void>
  page(input: object): Promise<{ ids: string[]; cursor: string | null; total: number }>
}

async function opened(t: Test, ...told: Told[]): Promise<Feed> {
  const store = await openedStore(t)
  const script = new Script()
  const first = await World.open(t, feedProjection, { documents: store })
  await first.deliver(script.write(...told))
  await first.promote()
  const operations = new ReadExecutor(store, new PublicUrls('vitrine.example'))
  const opened: Feed = {
    script,
    model: first,
    async rebuild() {
      opened.model = await World.open(t, feedProjection, { documents: store })
      await opened.model.deliver(script.records)
      await opened.model.promote()
    },
    async page(input) {
      const { data } = await operations.execute(getCommunityFeed, { limit: 3, ...input })
      const { items, next_cursor: cursor, total } = CommunityFeedPage.parse(data)
      return { ids: items.map(({ id }) => id), cursor, total }
    },
  }
  return opened
}

const id = (i: number): string => `c${String(i).padStart(2, '0')}`
const twenty = [
  registered('ann'),
  ...Array.from({ length: 20 }, (_, i) => published(id(i), { by: 'ann', category: i % 2 ? 'games' : 'music', tags: ['x'] })),
]

/** Engagement with the first ten, all different, so that every sort has its own order and ties. */
const spread: Told[] = Array.from({ length: 10 }, (_, i) => [
  ...Array.from({ length: i % 4 }, (_, n) => but(liked(id(i), `u${n}`), { time: minutes(30) })),
  ...Array.from({ length: (i * 3) % 5 }, () => but(played(id(i)), { time: minutes(30) })),
]).flat()

t.test('semantics 13: walking shows everything exactly once, under every sort, while the data stands still', async (t) => {
  const reads = await opened(t, ...twenty, ...spread)
  for (const sort of SORTS)
    for (const filter of [{}, { category: 'games' }, { tag: 'X' }, { q: 'title' }, { category: 'music', q: 'titl' }]) {
      const whole = await reads.page({ sort, ...filter, limit: 48 })
      const walked: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await reads.page({ sort, ...filter, ...(cursor === undefined ? {} : { cursor }) })
        walked.push(...page.ids)
        cursor = page.cursor
      }
      t.strictSame(walked, whole.ids, `${sort} ${JSON.stringify(filter)}`)
      t.equal(walked.length, whole.total)
    }
})

/** What happens between one page and the next. None of it moves the key of the creations from c10 on. */
const COMMOTION: ((reads: Feed) => Promise<void>)[] = [
  async ({ model, script }) => model.deliver(script.write(published('new1', { by: 'ann' }), liked('c01', 'w1'), played('c02'))),
  (reads) => reads.rebuild(),
  async ({ model, script }) =>
    model.deliver(script.write(removed('c03'), unpublished('c04'), edited('c12', { title: { en: 'Other title' } }))),
  async ({ model, script }) => model.deliver(script.write(liked('c05', 'w1'), liked('c05', 'w2'), featured('c13'))),
]

t.test('semantics 13: walking the feed shows each item that did not move exactly once, across commits and switch-overs', async (t) => {
  for (const sort of SORTS satisfies Sort[])
    await t.test(sort, async (t) => {
      const reads = await opened(t, ...twenty, ...spread)
      const still = Array.from({ length: 10 }, (_, i) => id(i + 10))
      const walked: string[] = []
      let round = 0
      for (let cursor: string | null | undefined; cursor !== null; round++) {
        const page = await reads.page({ sort, ...(cursor === undefined ? {} : { cursor }) })
        walked.push(...page.ids)
        cursor = page.cursor
        await COMMOTION[round]?.(reads)
      }
      t.ok(round > COMMOTION.length, 'all of it happened on the way')
      t.strictSame(walked.filter((creation) => still.includes(creation)).sort(), still)
    })
})

t.test('semantics 13: a cursor is bound to its query, and a damaged one is refused', async (t) => {
  const reads = await opened(t, ...twenty)
  const query = { sort: 'recent', category: 'games', tag: 'x', q: 'title' }
  const { cursor } = await reads.page(query)
  if (cursor === null) return t.fail('there is a second page')
  t.ok((await reads.page({ ...query, cursor })).ids.length > 0, 'it works')
  t.ok((await reads.page({ ...query, cursor, limit: 7 })).ids.length > 0, 'with another limit too')
  const foreign = [
    { sort: 'liked' },
    { category: 'music' },
    { tag: 'y' },
    { q: 'other' },
    { featuredOnly: true },
    { category: undefined },
    { q: undefined },
  ]
  for (const other of foreign) await refuses(t, reads, { ...query, ...other, cursor }, JSON.stringify(other))
  for (let i = 0; i < cursor.length; i++) {
    const flipped = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1)
    await refuses(t, reads, { ...query, cursor: flipped }, `character ${i} changed`)
  }
  for (const damaged of ['', 'x', cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`, '💥', cursor.repeat(2)])
    await refuses(t, reads, { ...query, cursor: damaged }, JSON.stringify(damaged.slice(0, 20)))
})

async function refuses(t: Test, reads: Feed, input: object, name: string): Promise<void> {
  const error = await reads.page(input).catch((error: unknown) => error)
  t.ok(error instanceof ServiceError && error.status === 422, name)
}
