/** What a declaration promises: errors that name it, reads that are named, documents that are loaded, words that are shown. */
import t from 'tap'
import { z } from 'zod'
import { collection } from '../../../readmodels/collection.js'
import {
  addTo,
  claimed,
  countBy,
  declared,
  first,
  idOf,
  latest,
  person,
  show,
  state,
  sum,
  total,
} from '../../../src/engine/declared/index.js'
import { trackSubjects } from '../../../src/operations/subjects.js'
import { erases, given, happened } from '../../../src/testing/index.js'
import { edited, handleChanged, liked, played, published, registered, removed, unpublished } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { World } from '../../spec/world.js'
import { project } from '../../support/project-log.js'
import { everything, fan, heart, thing } from './everything.js'

const creation = state('creation', { by: first(person), on: latest(false), tags: latest(z.array(z.string()), []) }, { name: 'things' })
const words = collection({ name: 'words', schema: z.object({ _id: z.string(), count: z.number() }), indexes: [], shows: [] })
const counting = (keys: (values: { on: boolean; tags: string[] }) => string[], reads: readonly ('on' | 'tags')[] = ['on', 'tags']) =>
  declared({
    name: 'counting',
    version: 1,
    keeps: [creation],
    on: {
      'creation.published': ({ data }) => creation({ by: data.creatorId, on: true, tags: data.tags }),
      'creation.unpublished': () => creation({ on: false }),
    },
    // The type of `reads` may name more than it holds.
    views: [countBy(creation, reads, keys, { into: words, doc: (_key, count) => ({ count }) })],
  })

const letters = async (world: World) => Object.values((await world.dump()).letters ?? {})

t.test('an error names the declaration and the event, and where it was thrown', async (t) => {
  const failing = counting(({ on }) => {
    if (on) throw new TypeError('no such tag')
    return []
  })
  const world = await World.open(t, failing, { inMemory: true })
  await world.tell(published('c1', { by: 'ann' }))
  t.match(await letters(world), [
    {
      error: {
        message: 'counting, countBy things into words, at creation.published of creation/c1 (sequence 1): no such tag',
        stack: /declared\.test/,
      },
    },
  ])
  const speechless = declared({
    name: 'speechless',
    version: 1,
    keeps: [creation],
    on: { 'creation.published': ({ data }) => creation({ tags: [String(Reflect.get(Object(data.coverUrl), 'a').b)] }) },
  })
  const other = await World.open(t, speechless, { inMemory: true })
  await other.tell(published('c1', { by: 'ann' }))
  t.match(await letters(other), [
    { error: { message: /^speechless, on creation\.published, at creation\.published of creation\/c1 \(sequence 1\): Cannot read/ } },
  ])
})

const text = { en: 'Quinces' }
const publication = (creationId: string, creatorId: string) =>
  happened('creation.published', {
    ...{ creationId, creatorId, kind: 'app', slug: creationId, title: text, description: text },
    ...{ category: 'games', tags: ['zen'], coverUrl: null, remixOf: null },
  })

t.test('a function that reads a field without naming it fails in a spec', async (t) => {
  const honest = counting(({ on, tags }) => (on ? tags : []))
  await t.resolves(given(honest, publication('c1', 'ann')).then({ words: { zen: { count: 1 } } }))
  const sly = counting(({ on, tags }) => (on ? tags : []), ['on'])
  await t.rejects(given(sly, publication('c1', 'ann')).then({ words: {} }), {
    message: /countBy things into words reads "tags" without naming it/,
  })
  await t.rejects(erases(sly, 'ann', publication('c1', 'ann')), { message: /reads "tags" without naming it/ })
})

t.test('a function gets the fields that it names, also where it takes the rest of them', async (t) => {
  let seen: object = {}
  const greedy = counting((values) => {
    seen = { ...values }
    return []
  })
  const world = await World.open(t, greedy, { inMemory: true })
  await world.tell(published('c1', { by: 'ann' }))
  t.strictSame(Object.keys(seen).sort(), ['on', 'tags'])
})

t.test('nothing is left of an erased person, whichever event names them', async (t) => {
  const honest = counting(({ on, tags }) => (on ? tags : []))
  await t.resolves(erases(honest, 'ann', publication('c1', 'ann'), publication('c2', 'bob'), publication('c2', 'ann')))
})

t.test('whose words a document shows follows from its joins, two deep', async (t) => {
  t.strictSame(fan.documents.shows, ['_id'])
  t.strictSame(thing.documents.shows, [
    ...['_id', 'by', 'editor', 'people'],
    ...[
      { id: 'from', words: 'source' },
      { id: 'sourceShows', words: 'source' },
    ],
  ])
  t.strictSame(heart.documents.shows, ['thing', 'user'])
  const world = await World.open(t, everything)
  await world.tell(
    registered('ann'),
    published('c1', { by: 'ann', title: { en: 'Quinces' } }),
    published('c2', { by: 'bob', remixOf: 'c1' }),
  )
  t.match(await world.doc(thing.documents, 'c2'), { from: 'c1', source: /^ANN.*Quinces$/, sourceShows: ['ann'] })
  const category = state('category', { of: latest(idOf('creation')) }).join('shown', thing.of('of', ['source']))
  t.strictSame(category.documents.shows, [
    { id: 'of', words: 'shown' },
    { id: 'shownShows', words: 'shown' },
  ])
})

t.test('a reference to what is gone shows no words of it', async (t) => {
  const original = state('creation', { from: first(idOf('creation')), title: latest('') }, { name: 'works' })
  const work = original
    .join('original', (self) => self.of('from', ['title'], z.string().nullable(), ({ title }) => title || null))
    .join('root', (self) => self.of('from', ['original'], z.string().nullable(), (before) => before.original))
  const works = declared({
    name: 'works',
    version: 1,
    keeps: [work],
    on: { 'creation.published': ({ data }) => work({ from: data.remixOf, title: data.title.en }) },
  })
  const world = await World.open(t, works)
  for (const generation of await world.documents.generations('works')) await world.documents.promote(generation)
  const subjects = async (id: string) => {
    const shown = new Set<string>()
    const snapshot = await world.documents.snapshot(['works'])
    await trackSubjects(snapshot.model('works'), shown).get(work.documents, [id])
    snapshot.release()
    return [...shown].sort()
  }
  const title = { en: 'Quinces' }
  await world.tell(published('c1', { by: 'ann', title }), published('c2', { by: 'bob', title, remixOf: 'c1' }))
  await world.tell(published('c3', { by: 'cyd', title, remixOf: 'c2' }))
  t.strictSame(await subjects('c2'), ['c1', 'c2'])
  t.strictSame(await subjects('c3'), ['c1', 'c2', 'c3'])
  await world.tell(removed('c1'))
  t.strictSame(await subjects('c2'), ['c2'])
  t.strictSame(await subjects('c3'), ['c2', 'c3'])
})

t.test('a join follows the position of a claim, too', async (t) => {
  const named = state('creator', { handle: latest(''), handleAt: claimed('handle') })
  const dated = state('creation', { by: first(person) }).join('claim', named.of('by', ['handleAt']))
  const claims = declared({
    ...{ name: 'claims', version: 1, keeps: [named, dated] },
    on: {
      'creator.registered': ({ data: { handle } }) => named({ handle }),
      'creator.handle_changed': ({ data: { handle } }) => named({ handle }),
      'creation.published': ({ data }) => dated({ by: data.creatorId }),
    },
  })
  const world = await World.open(t, claims)
  await world.tell(published('c1', { by: 'ann' }), registered('ann'), handleChanged('ann', 'annie'))
  t.match(await world.doc(dated.documents, 'c1'), { claim: { handleAt: 3 } })
})

/** Documents that lie far from the event: a like changes a count, which moves the creation, which counts for its creator. */
const rank = collection({ name: 'ranks', schema: z.object({ _id: z.string(), likes: z.number() }), indexes: [], shows: ['_id'] })
const maker = state('creator', { plays: total() }, { name: 'makers' })
const made = state('creation', { by: latest(person), from: latest(idOf('creation')), plays: sum(), copies: total() }, { name: 'made' })
const chain = declared({
  name: 'chain',
  version: 1,
  keeps: [maker, made],
  on: {
    'creation.published': ({ data }) => made({ by: data.creatorId, from: data.remixOf }),
    'creation.played': () => made({ plays: 1 }),
  },
  views: [
    addTo(made, { of: made, through: 'from', reads: ['plays'], adds: ['copies'] }, ({ plays }) => ({ copies: plays })),
    addTo(maker, { of: made, through: 'by', reads: ['plays', 'copies'], adds: ['plays'] }, (c) => ({ plays: c.plays + c.copies })),
    show(maker, ['plays'], rank, ({ plays }) => (plays === 0 ? null : { likes: plays })),
  ],
})

t.test('a document that a fold uses is loaded, however far it lies, and whatever was guessed', async (t) => {
  const events = [
    ...[published('c2', { by: 'bob', remixOf: 'c1' }), played('c2'), published('c1', { by: 'ann' })],
    ...[played('c2'), published('c1', { by: 'cyd', remixOf: 'c2' }), played('c1'), played('c1')],
  ]
  const guessless = {
    ...chain,
    on: Object.fromEntries(Object.entries(chain.on).map(([name, fold]) => [name, { ...fold, guess: () => [] }])),
  }
  for (const projection of [chain, guessless]) {
    for (const together of [true, false]) {
      const world = await World.open(t, projection)
      if (together) await world.tell(...events)
      else
        for (const event of events) {
          await world.restart()
          await world.tell(event)
        }
      t.strictSame(await letters(world), [])
      t.match(await world.all(rank), [
        { _id: 'bob', likes: 4 },
        { _id: 'cyd', likes: 4 },
      ])
      t.notOk(
        (await world.all(rank)).some(({ _id }) => _id === 'ann'),
        'it has moved from ann to cyd',
      )
    }
  }
})

t.test('an event that says nothing of a register leaves it, and the document is the same in all stores', async (t) => {
  const records = new Script().write(published('c1', { by: 'ann' }), edited('c1', {}), unpublished('c1'), liked('c1', 'bob'))
  const dump = await project(everything, records)
  t.match(JSON.parse(dump.get('things/c1') ?? ''), { seq: 4, v: [1, 4, 1, 1, 3], on: false, plays: 2, hearts: 1 })
})

t.test('one that refers to itself takes its contribution back once', async (t) => {
  const world = await World.open(t, chain)
  await world.tell(played('c2'), published('c2', { by: 'ann' }), published('c1', { by: 'ann', remixOf: 'c1' }), played('c1'))
  t.match(await world.doc(rank, 'ann'), { likes: 3 })
  await world.tell(removed('c1'))
  t.match(await world.doc(rank, 'ann'), { likes: 1 })
})
