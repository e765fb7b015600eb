import t, { type Test } from 'tap'
import type { Doc } from '../../src/ports/document-store.js'
import { Community } from '../spec/community.js'
import {
  defined,
  edited,
  erased,
  featured,
  followed,
  handleChanged,
  liked,
  poison,
  profileChanged,
  published,
  registered,
  scored,
  type Told,
  unliked,
  unpublished,
} from '../spec/events.js'
import type { Dump } from '../spec/world.js'

/** A community without Zelda, … */
const others: Told[] = [
  defined('games'),
  registered('ann'),
  registered('bob'),
  published('c_ann', { by: 'ann', tags: ['calm'], category: 'games' }),
  followed('ann', 'bob'),
  liked('c_ann', 'bob'),
  scored('c_ann', 'bob', 10),
]

/** … and all she ever did in it. Every word of hers is to be found nowhere else. */
const hers: Told[] = [
  registered('zz9', {
    handle: 'zelda-first',
    displayName: 'Zelda Quince',
    bio: 'Quincebio',
    avatarUrl: 'https://img.example/zelda.png',
    links: [{ label: 'Zeldalink', url: 'https://zelda.example' }],
  }),
  handleChanged('zz9', 'zelda-second'),
  profileChanged('zz9', { displayName: 'Zelda Quince-Berry' }),
  published('c_zelda1', {
    by: 'zz9',
    slug: 'zeldaslug',
    title: { en: 'Quincegame', es: 'Membrillo' },
    description: { en: 'Zeldawords', ja: 'ゼルダ' },
    tags: ['calm', 'quincetag'],
    category: 'games',
    coverUrl: 'https://img.example/quincecover.png',
  }),
  published('c_zelda2', { by: 'zz9', title: { en: 'Quincehidden' }, remixOf: 'c_ann' }),
  unpublished('c_zelda2'),
  published('c_zelda3', { by: 'zz9', title: { en: 'Quinceremix' }, remixOf: 'c_ann', category: 'games' }),
  featured('c_zelda1', true),
  liked('c_zelda1', 'bob'),
  liked('c_zelda1', 'zz9'),
  scored('c_zelda1', 'bob', 99),
  scored('c_zelda1', 'zz9', 98),
  liked('c_ann', 'zz9'),
  scored('c_ann', 'zz9', 1000),
  followed('ann', 'zz9'),
  followed('zz9', 'ann'),
  followed('zz9', 'bob'),
  followed('zz9', 'zz9'),
]

/** What others did with what was hers. */
const echoes: Told[] = [
  published('c_bob', { by: 'bob', title: { en: 'Of somebody' }, remixOf: 'c_zelda1' }),
  liked('c_bob', 'zz9'),
  unliked('c_bob', 'zz9'),
]

const WORDS = /zelda-|Zelda |Quince|quince|Membrillo|membrillo|Zeldawords|zeldawords|Zeldalink|zeldaslug|zelda\.|ゼルダ/
const IDS = /zz9|c_zelda/

async function community(t: Test, ...batches: Told[][]): Promise<Community> {
  const opened = await Community.open(t)
  for (const batch of batches) await opened.tell(...batch)
  return opened
}

t.test('before the erasure she is everywhere, or this test would prove nothing', async (t) => {
  const dumps = await (await community(t, others, hers, echoes)).dump()
  for (const name of ['feed', 'profiles', 'tags']) t.match(JSON.stringify(dumps[name]), WORDS, name)
  for (const name of ['feed', 'profiles', 'tags', 'shares']) t.match(JSON.stringify(dumps[name]), IDS, name)
  for (const collection of ['items', 'creators', 'terms']) t.match(JSON.stringify(dumps.feed?.[collection]), WORDS, collection)
})

const WAYS: Record<string, Told[][]> = {
  'after it all': [others, hers, echoes, [erased('zz9')]],
  'in the same batch': [[...others, ...hers, ...echoes, erased('zz9')]],
  'before she registered and published': [others, [erased('zz9')], hers, echoes],
  'while something of hers is parked': [
    others,
    hers,
    [poison(edited('c_zelda1', { slug: 'zeldaslug2' })), poison(registered('zz9'))],
    echoes,
    [erased('zz9')],
  ],
}

t.test('creator.removed leaves no word of theirs in any document of any model', async (t) => {
  for (const [name, batches] of Object.entries(WAYS))
    await t.test(name, async (t) => {
      const dumps = await (await community(t, ...batches)).dump()
      for (const [projection, dump] of Object.entries(dumps))
        for (const [collection, docs] of Object.entries(dump)) {
          t.notMatch(JSON.stringify(docs), WORDS, `${projection}: ${collection}`)
          for (const doc of Object.values(docs)) t.ok(mayNameThem(collection, doc), `${projection}: ${collection}/${doc._id}`)
        }
    })
})

/** Their ids live on in tombstones, in what names a lost original, and in the count of what has arrived. */
function mayNameThem(collection: string, doc: Doc): boolean {
  if (!IDS.test(JSON.stringify(doc))) return true
  if (collection === 'arrivals' || collection === 'parked' || collection === 'letters') return true
  const { remixOf: _remixOf, publicRemixOf: _publicRemixOf, ...rest } = doc as Doc & Record<string, unknown>
  return rest.removed === true ? Object.keys(rest).sort().join() === '_id,removed,seq' : !IDS.test(JSON.stringify(rest))
}

t.test('creator.removed leaves every count, edge and sum of others as if they had never been there', async (t) => {
  const withHer = await community(t, others, hers, echoes, [erased('zz9')])
  const without = await community(t, others, [published('c_bob', { by: 'bob', title: { en: 'Of somebody' } })])
  const [after, never] = [await withHer.dump(), await without.dump()]
  for (const [projection, collections] of Object.entries(SUMS))
    for (const [collection, forget] of Object.entries(collections))
      t.strictSame(
        living(after[projection], collection, forget),
        living(never[projection], collection, forget),
        `${projection}: ${collection}`,
      )
})

const NOT_OF_TIME = ['seq', 'slugAt', 'handleAt', 'publishedAt', 'updatedAt', 'remixOf', 'publicRemixOf']

/** The collections to compare, and the fields that depend on when and not on what. */
const SUMS: Record<string, Record<string, readonly string[]>> = {
  feed: {
    items: [...NOT_OF_TIME, 'heat', 'trending'],
    creators: NOT_OF_TIME,
    likes: [],
    terms: [],
    counters: [],
    categories: [],
  },
  tags: { tags: [], tagTotal: [], tagged: NOT_OF_TIME },
  profiles: { profiles: NOT_OF_TIME, follows: [] },
  shares: { scores: [], scoredCreations: NOT_OF_TIME },
}

function living(dump: Dump | undefined, collection: string, forget: readonly string[]): object[] {
  const docs = Object.values(dump?.[collection] ?? {}) as (Doc & Record<string, unknown>)[]
  return docs
    .filter((doc) => doc.removed !== true)
    .map((doc) => Object.fromEntries(Object.entries(doc).filter(([field]) => !forget.includes(field))))
}

t.test('an erased creator who comes back under the same id stays erased', async (t) => {
  const opened = await community(t, others, hers, echoes, [erased('zz9')])
  const before = await opened.dump()
  await opened.tell(...hers, liked('c_bob', 'zz9'))
  const after = await opened.dump()
  for (const [name, collections] of Object.entries({
    profiles: ['profiles', 'follows'],
    tags: ['tags'],
    shares: ['scores'],
    feed: ['likes', 'counters', 'terms'],
  }))
    for (const collection of collections)
      t.strictSame(living(after[name], collection, ['seq']), living(before[name], collection, ['seq']), `${name}: ${collection}`)
  t.notMatch(JSON.stringify(after), WORDS)
})
