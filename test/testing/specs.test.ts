/** That the specs of `vitrine/testing` fail where they should. */
import t from 'tap'
import { read } from '../../src/compose/models/define-models.js'
import {
  addTo,
  CreationId,
  CreatorId,
  countBy,
  counts,
  declared,
  defineModels,
  edge,
  event,
  first,
  get,
  id,
  latest,
  list,
  own,
  person,
  state,
  sum,
  text,
  total,
  z,
} from '../../src/index.js'
import { erases, given, happened } from '../../src/testing/index.js'
import { bed, getBed as fixtureRead, gardening, gardens, planted, renamed } from '../compose/models/fixture.js'

const plant = (bedId: string, creatorId: string, title: string) => happened(planted, { bedId, creatorId, title })

/** Gardens that fold a planted bed in another way. */
const planting = (on: Parameters<typeof declared<typeof planted>>[0]['on']) =>
  declared({ name: 'gardens', version: 1, events: [planted], keeps: [bed], on })

t.test('documents that are others, too many or too few', async (t) => {
  const one = given(gardens, plant('b_1', 'ann', 'Roses'))
  await t.resolves(one.then({ beds: { b_1: { title: 'Roses' } } }))
  await t.rejects(one.then({ beds: { b_1: { title: 'Lilies' } } }), /Lilies/)
  await t.rejects(one.then({ beds: {} }), /documents of beds/)
  await t.rejects(one.then({ plots: {} }), /there is no collection "plots", only beds, people/)
})

t.test('a model that depends on how often or when it is asked', async (t) => {
  let folded = 0
  const counting = planting({ 'bed.planted': () => bed({ title: String(folded++) }) })
  folded = 0
  await t.rejects(given(counting, plant('b_1', 'ann', 'Roses')).then({}), /every event twice leaves other documents than all at once/)
})

t.test('a model that passes in order and fails shuffled', async (t) => {
  const seen: string[] = []
  // What came before is remembered outside of the documents.
  const remembering = planting({
    'bed.planted': ({ key, data, position }) => {
      if (position === 1) seen.length = 0
      if (!seen.includes(key)) seen.push(key)
      return bed({ creatorId: data.creatorId, title: seen.slice(0, seen.indexOf(key) + 1).join() })
    },
  })
  const spec = given(remembering, plant('b_1', 'ann', 'Roses'), plant('b_2', 'ann', 'Lilies'))
  await t.rejects(spec.then({ beds: { b_1: { title: 'b_1' }, b_2: { title: 'b_1,b_2' } } }), /in the order 2, 1 leaves other documents/)
})

t.test('a model that passes in one batch and fails when a late event comes alone', async (t) => {
  const plots = bed.derive('size', z.number(), ['title', 'creatorId'], ({ title, creatorId }) =>
    title === '' ? 0 : creatorId === null ? Number.NaN : 1,
  )
  const sized = declared({
    ...{ name: 'gardens', version: 1, events: [planted, renamed], keeps: [plots] },
    on: {
      'bed.planted': ({ data: { creatorId } }) => plots({ creatorId }),
      'bed.renamed': ({ data: { title } }) => plots({ title }),
    },
  })
  const spec = given(sized, plant('b_1', 'ann', ''), happened(renamed, { bedId: 'b_1', title: 'Lilies' }))
  await t.rejects(spec.then({ beds: { b_1: { size: 1 } } }), /an event of bed\/b_1 cannot be folded/)
})

t.test('two events of one sequence', async (t) => {
  const [first, second] = [
    happened(renamed, { bedId: 'b_1', title: 'A' }, { sequence: 1 }),
    happened(renamed, { bedId: 'b_1', title: 'B' }, { sequence: 1 }),
  ]
  await t.rejects(given(gardens, first, second).then({}), /two events of bed\/b_1 have sequence 1/)
})

t.test('an event that cannot be folded', async (t) => {
  const failing = planting({
    'bed.planted': ({ key }) => {
      if (key === 'b_2') throw new Error('thorns')
      return null
    },
  })
  await t.rejects(given(failing, plant('b_2', 'ann', 'Roses')).then({}), /an event of bed\/b_2 cannot be folded: gardens, .*: thorns/)
  await t.rejects(erases(failing, 'ann', plant('b_2', 'ann', 'Roses')), /thorns/)
})

t.test('answers are asked without a server, in order and backwards', async (t) => {
  const getBed = get(bed, { name: 'get_bed', path: '/{bedId}', summary: 'A bed', fields: ['title'] })
  const models = gardening({ model: { reads: [getBed] } })
  const spec = given(models, plant('b_1', 'ann', 'Roses')).when(happened(renamed, { bedId: 'b_1', title: 'Lilies' }))
  await t.resolves(spec.answers(getBed, { bedId: 'b_1' }, { title: 'Lilies' }))
  await t.rejects(spec.answers(getBed, { bedId: 'b_1' }, { title: 'Roses' }), /the answer of get_bed/)
  await t.rejects(spec.answers(getBed, { bedId: 'b_2' }, {}), { message: /the answer of get_bed, a 404/ })
  await t.resolves(spec.answers(getBed, { bedId: 'b_2' }, null))
  await t.rejects(spec.answers(getBed, { bedId: 'b_1' }, null), /the answer of get_bed/)
  await t.rejects(spec.answers(getBed, { bedId: 'b_1', bedid: 'b_2' }, {}), /get_bed has no input "bedid" \(did you mean "bedId"\?\)/)
  await t.rejects(spec.answers(getBed, { bedId: 1 }, {}), { name: 'ServiceError' })
  await t.rejects(given(gardening(), plant('b_1', 'ann', 'Roses')).answers({ ...getBed, name: 'other' }, {}, {}), /no read "other"/)
  await t.rejects(given(gardens).answers(getBed, {}, {}), /what defineModels\(\) returns/)
  let asked = 0
  const moody = read({
    ...getBed,
    output: z.object({ asked: z.number() }),
    example: { input: { bedId: 'b' }, output: { asked: 0 } },
    run: async () => ({ asked: asked++ }),
  })
  await t.rejects(given(gardening({ model: { reads: [moody] } })).answers(moody, { bedId: 'b_1' }, { asked: 0 }), /backwards is another/)
})

t.test('pages follow each other in a spec', async (t) => {
  const beds = list(bed, 'byTitle', { name: 'list_beds', path: '/all', summary: 'Beds', fields: ['title'] })
  const spec = given(gardening({ model: { reads: [beds] } }), plant('b_1', 'ann', 'Roses'), plant('b_2', 'ann', 'Lilies'))
  const { next_cursor: cursor } = await spec.answers(beds, { limit: 1 }, { items: [{ title: 'Lilies' }] })
  const { items } = await spec.answers(beds, { limit: 1, cursor }, { items: [{ title: 'Roses' }], next_cursor: null })
  t.strictSame(items, [{ title: 'Roses' }])
})

t.test('a failure names the line of the spec first', async (t) => {
  const failing = read({ ...fixtureRead, run: () => Promise.reject(new TypeError('thorns')) })
  const spec = given(gardening({ read: failing }), plant('b_1', 'ann', 'Roses'))
  const bad = declared({ name: 'gardens', version: 1, events: [planted], keeps: [bed], on: { 'bed.planted': () => bed({ title: 'ann' }) } })
  const failures: (() => Promise<unknown>)[] = [
    () => spec.then({ beds: {} }),
    () => spec.answers(failing, { bedId: 'b_1' }, {}),
    () => erases(bad, 'ann', plant('b_1', 'ann', 'Roses')),
  ]
  for (const fail of failures) {
    const { stack = '' }: Error = await fail().then(
      () => new Error('it passed'),
      (error) => error,
    )
    t.match(
      stack.split('\n').find((line) => line.startsWith('    at ')),
      /specs\.test/,
    )
  }
})

t.test('models that break a rule are refused in a spec, too', async (t) => {
  const broken = gardening({ namespace: 'My-Garden' })
  await t.rejects(given(broken, plant('b_1', 'ann', 'Roses')).then({}), /a namespace is/)
  await t.rejects(erases(broken, 'ann', plant('b_1', 'ann', 'Roses')), /a namespace is/)
})

const rated = event({
  name: 'bed.rated',
  summary: 'A person rated a bed.',
  schema: z.object({ bedId: id, raterId: CreatorId, stars: z.number(), like: CreationId, word: text(20) }),
  example: { bedId: 'b_1', raterId: 'u_2', stars: 3, like: 'c_1', word: 'Oh' },
})
const star = (bedId: string, raterId: string, stars: number) =>
  happened(rated, { bedId, raterId, stars, like: 'c_1', word: `Of ${raterId}` })

t.test('an erasure that leaves words, or something that counts', async (t) => {
  const basics = { name: 'gardens', version: 1, events: [planted, rated] }
  const plot = state('bed', { creatorId: first(person), title: latest(''), stars: sum() }, { name: 'beds' })
  const summing = declared({
    ...{ ...basics, keeps: [plot] },
    on: { 'bed.planted': ({ data }) => plot({ creatorId: data.creatorId }), 'bed.rated': ({ data }) => plot({ stars: data.stars }) },
  })
  const events = [plant('b_1', 'ann', 'Roses'), star('b_1', 'bob', 3), star('b_1', 'cyd', 2), plant('b_2', 'bob', 'Lilies')]
  await t.rejects(erases(summing, 'bob', ...events), /removed after 0 events, something of bob still counts/)
  await t.resolves(erases(summing, 'ann', ...events), 'whose bed goes with its stars')
  const saying = declared({
    ...{ ...basics, keeps: [plot] },
    on: { 'bed.planted': ({ data }) => plot({ creatorId: data.creatorId }), 'bed.rated': ({ data }) => plot({ title: data.word }) },
  })
  await t.rejects(erases(saying, 'cyd', ...events), /removed after 0 events, beds\/b_1 still shows "Of cyd"/)

  const rating = edge('bed', 'ratings', { bedId: own, raterId: person }, { stars: latest(0) })
  const patch = state('bed', { creatorId: first(person), stars: total() }, { name: 'beds' })
  const raters = counts('raters', { of: z.string() }).index('byBed', ['of'])
  const adding = declared({
    ...{ ...basics, keeps: [patch, rating] },
    on: {
      'bed.planted': ({ data }) => patch({ creatorId: data.creatorId }),
      'bed.rated': ({ data }) => rating(data.raterId, { stars: data.stars }),
    },
    views: [
      addTo(patch, { of: rating, through: 'bedId', reads: ['stars'], adds: ['stars'] }, ({ stars }) => ({ stars })),
      countBy(patch, ['stars'], ({ stars }) => (stars === 0 ? [] : [String(stars)]), {
        into: raters.documents,
        doc: (of, count) => ({ of, count }),
      }),
    ],
  })
  await given(adding, ...events).then({ beds: { b_1: { stars: 5 }, b_2: {} }, raters: { 5: { of: '5', count: 1 } } })
  for (const who of ['ann', 'bob', 'cyd']) await t.resolves(erases(adding, who, ...events), who)
  await t.rejects(erases(adding, 'dan', ...events), /no event names "dan", so nothing would be checked/)
})

t.test('specs of a package are about all of its models', async (t) => {
  const models = defineModels({ namespace: 'gardens', models: [{ projection: gardens }] })
  await t.resolves(given(models, plant('b_1', 'ann', 'Roses')).then({ beds: { b_1: { title: 'Roses' } } }))
  await t.resolves(erases(models, 'ann', plant('b_1', 'ann', 'Roses'), happened(renamed, { bedId: 'b_1', title: 'Lilies' })))
})

t.test('the data of an event have the types of its schema', async (t) => {
  // @ts-expect-error: an id is a text
  t.throws(() => happened(planted, { bedId: 1, creatorId: 'ann', title: 'Roses' }), /have no "bedId"/)
})
