/** What a load need not ask the store for, since nobody has ever written it. */
import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { BloomFilter } from '../../src/engine/fold/bloom-filter.js'
import { decode } from '../../src/events/index.js'
import { liked, published, registered } from '../spec/events.js'
import { World } from '../spec/world.js'

t.test('one that was seen is never denied, and hardly any other is taken for one', async (t) => {
  const seen = new BloomFilter()
  const ids = Array.from({ length: 100_000 }, (_, i) => `c_${i}/u_${(i * 7919) % 1000}`)
  for (const id of ids) seen.add(id)
  t.ok(ids.every((id) => seen.mayHave(id)))
  const mistaken = ids.filter((id) => seen.mayHave(`${id}x`)).length
  t.ok(mistaken < ids.length / 50, `${mistaken} of ${ids.length}`)
})

t.test('ids that are empty, long, or in another script', async (t) => {
  const seen = new BloomFilter()
  const ids = ['', 'x'.repeat(10_000), '日本', '\ud83d\ude00', 'a\0b']
  for (const id of ids) {
    t.notOk(seen.mayHave(id))
    seen.add(id)
    t.ok(seen.mayHave(id))
  }
})

/** The likes that a session asks its store for, when it loads or follows. */
async function askedFor(loading: boolean, ...told: ReturnType<typeof registered>[][]): Promise<string[]> {
  const asked: string[] = []
  const world = await World.open(feedProjection, {
    loading,
    between: (store) => {
      const get = store.get.bind(store)
      const noted: typeof get = (collection, ids) => {
        if (collection.name === 'likes') asked.push(...ids)
        return get(collection, ids)
      }
      return Object.assign(store, { get: noted })
    },
  })
  try {
    for (const batch of told) {
      await world.session.advance(world.script.write(...batch).map((record) => ({ record, decoded: decode(record) })))
    }
    return asked
  } finally {
    await world.close()
  }
}

const first = [registered('ada'), published('c1', { by: 'ada' }), liked('c1', 'bob')]

t.test('a load from the beginning asks for nothing that is new', async (t) => {
  t.strictSame(await askedFor(true, first, [liked('c1', 'eve')]), [])
})

t.test('but for what it has written and does not remember', async (t) => {
  const asked = await askedFor(true, first, [liked('c1', 'eve')], [liked('c1', 'bob')])
  t.equal(asked.length, 1)
  t.match(asked[0], /bob/)
})

t.test('one who follows a generation asks, since others have written it', async (t) => {
  t.equal((await askedFor(false, first, [liked('c1', 'eve')])).length, 2)
})
