import t from 'tap'
import { defineModels, type OwnModels } from '../../../src/compose/models/define-models.js'
import { modelSet } from '../../../src/compose/models/model-set.js'
import { builtInEvents } from '../../../src/events/index.js'
import {
  CreatorId,
  countBy,
  counts,
  declared,
  event,
  first,
  get,
  id,
  latest,
  list,
  person,
  projection,
  state,
  text,
  total,
  words,
  z,
} from '../../../src/index.js'
import { bed, gardening, gardens, getBed, planted, renamed } from './fixture.js'

const twoReads = (read: Partial<typeof getBed>) =>
  gardening({ model: { reads: [getBed, { ...getBed, name: 'other', path: '/other/{bedId}', ...read }] } })
const withInput = (field: z.ZodType) => gardening({ read: { input: z.object({ bedId: z.string(), field: field.optional() }) } })
const changed = (changes: Partial<typeof gardens>) => gardening({ model: { projection: { ...gardens, ...changes } } })

t.test('models that keep the rules are within their namespace', async (t) => {
  const { names, reads, events } = modelSet([gardening()])
  t.ok(names.includes('gardens'))
  const own = reads.at(-1)
  t.match(own, { name: 'x_gardens_get_bed', operationId: 'xGardensGetBed', path: '/public/share/x/gardens/beds/{bedId}', tag: 'x-gardens' })
  t.ok(events.aggregates.includes('bed'))
})

const Note = words(z.object({ by: z.string(), text: z.string() }), { by: '', text: '' })

t.test('an event type says by its schema whose data it holds, and which of them are words', async (t) => {
  const shown = event({
    name: 'bed.shown',
    summary: 'A bed was shown to others.',
    schema: z.object({
      ...{ bedId: id, by: CreatorId, guests: z.array(CreatorId).optional(), title: text(9).nullable(), notes: z.array(Note) },
      ...{ at: z.iso.datetime(), sort: z.enum(['roses', 'lilies']), size: z.number(), words: z.record(z.enum(['en']), text(9).meta({})) },
    }),
    example: {
      ...{ bedId: 'b_1', by: 'u_1', guests: ['u_2'], title: 'Roses', notes: [{ by: 'Ann', text: 'Oh' }] },
      ...{ at: '2026-01-01T00:00:00Z', sort: 'roses', size: 1, words: { en: 'Hi' } },
    },
  })
  t.strictSame(shown.people, ['by', 'guests'])
  t.strictSame(shown.redact?.(shown.example), {
    ...{ bedId: 'b_1', by: 'u_1', guests: ['u_2'], title: '', notes: [{ by: '', text: '' }] },
    ...{ at: '2026-01-01T00:00:00Z', sort: 'roses', size: 1, words: { en: '' } },
  })
  t.equal(shown.key, 'bedId')
  t.ok(modelSet([gardening({ events: [planted, { ...renamed, people: { sameAs: planted.name } }, shown] })]))
  t.equal(
    event({ name: 'bed.left', summary: 'Left.', schema: z.object({ bedId: id }), example: { bedId: 'b_1' } }).redact,
    null,
    'there are no words',
  )
  t.throws(() => words(z.string().min(3), ''), { message: /^words\(\): "" does not match its own schema: Too small.*$/ })
})

const sown = {
  name: 'bed.sown',
  summary: 'Sown.',
  schema: z.object({ bedId: id, title: text(9) }),
  example: { bedId: 'b_1', title: '' },
} as const

/** The example of a planted bed, with another field. */
const withField = (field: z.ZodType, value: unknown) => {
  const schema = z.object({ ...planted.schema.shape, field })
  const example = { bedId: 'b_1', creatorId: 'u_1', title: 'Roses', field: value }
  return gardening({ events: [event({ name: 'bed.planted', summary: 'Planted.', schema, example }), renamed] })
}

const basics = { name: 'gardens', version: 1, events: [planted, renamed], keeps: [bed] }
/** As in plain JavaScript, where no compiler looks. */
const untyped = (on: object) => gardening({ model: { projection: Reflect.apply(declared, null, [{ ...basics, on }]) } })
const plot = state('creation', { by: first(person) }, { name: 'plots' })
const known = state('bed', { title: latest(''), at: latest(z.string()) }, { name: 'beds' })
const noted = event({
  name: 'bed.noted',
  summary: 'Somebody wrote a note.',
  schema: z.object({ bedId: id, note: text(90).optional() }),
  example: { bedId: 'b_1', note: 'Oh' },
})
const noting = { ...basics, events: [planted, noted] }
const beds = { name: 'beds', path: '/{bedId}', summary: 'Beds', fields: ['title'] as const }

const REFUSED: Record<string, readonly [models: () => OwnModels | OwnModels[], message: RegExp]> = {
  'a namespace of another form': [() => gardening({ namespace: 'My-Garden' }), /a namespace is/],
  'the same namespace twice': [() => [gardening(), gardening({ events: [] })], /the namespace is used twice/],
  'events of our aggregates': [() => gardening({ events: [{ ...planted, name: 'creation.planted' }] }), /which is ours/],
  'an event with a wrong name': [
    () => gardening({ events: [{ ...planted, name: 'Bed.Planted', aggregate: 'Bed' }] }),
    /is no name of an event type/,
  ],
  'an example that does not match': [
    () => gardening({ events: [{ ...planted, example: { bedId: 'b_1' } }, renamed] }),
    /does not match its schema/,
  ],
  'a version without the one before': [
    () => gardening({ events: [{ ...planted, version: 2 }, renamed] }),
    /nothing turns version 1 into 2/,
  ],
  'a text that may be words': [
    () => withField(z.string(), 'Oh'),
    /"field" of "bed.planted" may hold words of people: make it text\(…\) or words\(…\), an id/,
  ],
  'an address that may be words': [() => withField(z.url(), 'https://ann.example'), /"field" of "bed.planted" may hold words/],
  'a text among others': [() => withField(z.object({ a: z.union([z.string(), z.null()]) }), { a: '' }), /"field.a" of "bed.planted" may/],
  'keys that may be words': [() => withField(z.record(z.string(), z.number()), {}), /"field" of "bed.planted" may hold words/],
  anything: [() => withField(z.looseObject({}), {}), /"field.\*" of "bed.planted" may hold words/],
  'a person within an object': [() => withField(z.object({ by: CreatorId }), { by: 'u_2' }), /"field.by" of "bed.planted" names a person/],
  'words of whom no event names': [
    () => gardening({ events: [planted, event({ ...sown, name: 'bed.renamed', sameAs: 'bed.sown' })] }),
    /"bed.renamed" holds words of whom "bed.sown" names: no event type of a bed/,
  ],
  'words of one of several': [
    () =>
      gardening({
        events: [
          planted,
          renamed,
          event({ ...sown, schema: z.object({ bedId: id, by: CreatorId }), example: { bedId: 'b_1', by: 'u_1' } }),
        ],
      }),
    /"bed.renamed" has words, and bed.planted and bed.sown name people: say whose they are \(sameAs: 'bed.planted'\)/,
  ],
  'a key that is not there': [
    () => gardening({ events: [event({ ...planted, key: undefined, name: 'patch.planted' } as never), renamed] }),
    /"patch.planted" has no "patchId": events about a patch say which one/,
  ],
  'a key that is no id': [
    () => gardening({ events: [{ ...planted, key: 'title', example: { ...planted.example, title: 'A b' } }, renamed] }),
    /"title" of "bed.planted" must be an id/,
  ],
  'no version': [
    () => gardening({ model: { projection: declared({ ...basics, version: undefined as never, on: {} }) } }),
    /its "version" must/,
  ],
  'a person that the event type does not name': [
    () => untyped({ 'bed.planted': () => bed({ creatorId: 'u_9' }) }),
    /gardens: on bed.planted: "u_9" is a person: make that field of its schema a CreatorId/,
  ],
  'a person in a field that is no reference': [
    () => untyped({ 'bed.planted': () => bed({ title: 'u_1' }) }),
    /on bed.planted: "title" of beds holds the id of a person: make it first\(person\) if the document goes with them; of somebody it only/,
  ],
  'a field that the state does not have': [
    () => untyped({ 'bed.planted': () => bed({ titel: 'Roses' } as never) }),
    /on bed.planted: beds has no field "titel" that events set \(did you mean "title"\?\)/,
  ],
  'a value of another type': [
    () => untyped({ 'bed.planted': () => bed({ title: 7 } as never) }),
    /on bed.planted: "title" of beds cannot be 7: Invalid input: expected string, received number/,
  ],
  'an event that says something of others': [
    () => gardening({ model: { projection: declared({ ...basics, keeps: [bed, plot], on: { 'bed.planted': () => plot({}) as never } }) } }),
    /on bed.planted: says something of a creation, but is about a bed: add to others by a view/,
  ],
  'an event that fails without what may be missing': [
    () =>
      gardening({
        model: { projection: declared({ ...noting, on: { 'bed.noted': ({ data }) => bed({ title: data.note?.length as never }) } }) },
      }),
    /on bed.noted: "title" of beds cannot be 2: Invalid input/,
  ],
  'the same only without it': [
    () =>
      gardening({
        model: { projection: declared({ ...noting, on: { 'bed.noted': ({ data }) => bed({ title: (data.note as string).trim() }) } }) },
      }),
    /on bed.noted: Cannot read properties of undefined \(reading 'trim'\) \(without "note"\)/,
  ],
  'a field that cannot be computed while nothing is known': [
    () =>
      declared({
        ...basics,
        keeps: [known.derive('year', z.number(), ['at'], ({ at }) => Number((at as string).slice(0, 4)))],
        on: {},
      }) as never,
    /derive beds.year fails while nothing is known: Cannot read properties of null/,
  ],
  'a field that is of another type while nothing is known': [
    () =>
      declared({
        ...basics,
        keeps: [known.derive('year', z.number(), ['title'], ({ title }) => Number.parseInt(title, 10))],
        on: {},
      }) as never,
    /derive beds.year is NaN while nothing is known, which its schema refuses: events may come in any order/,
  ],
  'a function that reads a field without naming it': [
    () => {
      const names = counts('names', { label: z.string() })
      const titlesOf = (known: { creatorId: string | null }) =>
        known.creatorId === null ? [] : [(known as unknown as { title: string }).title]
      const views = [countBy(bed, ['creatorId'], titlesOf, { into: names.documents, doc: (label, count) => ({ label, count }) })]
      const on = { 'bed.planted': ({ data: { creatorId, title } }: { data: z.output<typeof planted.schema> }) => bed({ creatorId, title }) }
      return gardening({ model: { projection: declared({ ...basics, on: on as never, views }) } })
    },
    /into names reads "title" without naming it/,
  ],
  'a total that nothing adds to': [
    () => declared({ ...basics, keeps: [state('bed', { stars: total() }, { name: 'beds' })], on: {} }) as never,
    /beds: no view adds to the total "stars": name it in an addTo\(\) among the "views"/,
  ],
  'what no state makes': [() => untyped({ 'bed.planted': async () => bed({ title: '' }) }), /on bed.planted: must return what a state/],
  'an unknown event': [() => untyped({ 'bed.plantd': () => null }), /handles "bed.plantd".*did you mean "bed.planted"/],
  'a kind that no event is about': [
    () => gardening({ model: { projection: declared({ ...basics, keeps: [bed, state('bad', {})], on: {} }) } }),
    /keeps a "bad", which no event is about \(did you mean "bed"\?\)/,
  ],
  'a fold by hand': [
    () => gardening({ model: { projection: projection({ name: 'gardens', version: 1, collections: [], state: {}, on: {} }) } }),
    /"gardens" is folded by hand: declare it with declared\(\)/,
  ],
  'a list by no index': [
    () => gardening({ model: { reads: [list(bed, 'byTitel' as never, { ...beds, path: '/' })] } }),
    /"beds" lists by "byTitel", which is no index of beds \(did you mean "byTitle"\?\)/,
  ],
  'a list by an index of the engine': [() => gardening({ model: { reads: [list(bed, 'people' as never, beds)] } }), /lists by "people"/],
  'a path that the index does not begin with': [
    () => gardening({ model: { reads: [list(bed, 'byTitle', beds)] } }),
    /the path of "beds" has \{bedId\}, but "byTitle" begins with title/,
  ],
  'a field that no document has': [
    () => gardening({ model: { reads: [get(bed, { ...beds, fields: ['titel' as never] })] } }),
    /"beds" shows "titel", which is no field of beds \(did you mean "title"\?\)/,
  ],
  'a card of no reference': [
    () => gardening({ model: { reads: [get(bed, { ...beds, cards: { by: 'title' as never } })] } }),
    /"beds" shows a card of "title", which does not refer to a creation or a creator/,
  ],
  'a path without an id': [() => gardening({ model: { reads: [get(bed, { ...beds, path: '/all' })] } }), /must have one parameter, the id/],
  'a read without an example': [
    () => gardening({ model: { projection: declared({ ...basics, on: {} }), reads: [get(bed, beds)] } }),
    /"beds" has no example: the examples of its events leave no document in beds/,
  ],
  'a projection of another name': [() => changed({ name: 'feed' }), /is called "gardens" or "gardens-…"/],
  'a card with the name of another kind': [
    () => gardening({ model: { reads: [get(bed, { ...beds, cards: { creation: 'creatorId' } })] } }),
    /"beds" shows a card "creation" of "creatorId", which refers to a creator: call it "creator"/,
  ],
  ...Object.fromEntries(
    (['summary', 'path', 'input', 'output', 'example', 'run'] as const).map((part) => [
      `a read without "${part}"`,
      [() => gardening({ read: { [part]: undefined } }), new RegExp(`the read "get_bed" has no "${part}", such as `)] as const,
    ]),
  ),
  'a path outside': [() => gardening({ read: { path: '/../tags' } }), /the path of "get_bed"/],
  'a parameter that is no input': [() => gardening({ read: { path: '/{gardenId}' } }), /\{gardenId\} in its path but not in its input/],
  'a model that does not exist': [() => gardening({ read: { models: ['meadows'] } }), /reads the model "meadows", which does not exist/],
  'a model of ours': [
    () => gardening({ read: { models: ['gardens', 'profiles'] } }),
    /reads the model "profiles", which is not of "gardens"/,
  ],
  'a model of others': [
    () => {
      const projection = { ...gardens, name: 'parks', on: {}, state: {}, events: builtInEvents, ownEvents: [] }
      return [defineModels({ namespace: 'parks', models: [{ projection }] }), gardening({ read: { models: ['parks'] } })]
    },
    /models "gardens": "get_bed" reads the model "parks", which is not of "gardens"/,
  ],
  'an output that is no object': [() => gardening({ read: { output: z.string() } }), /must be an object/],
  'a schema with a name of ours': [
    () => gardening({ read: { output: z.object({ title: z.string() }).meta({ id: 'CommunityFeed' }) } }),
    /must be called "XGardens…"/,
  ],
  'a schema with the name of an answer': [
    () => gardening({ read: { output: z.object({ title: z.string() }).meta({ id: 'XGardensGetBedResponse' }) } }),
    /two different schemas are called XGardensGetBedResponse/,
  ],
  'an older version that JSON Schema does not know': [
    () =>
      gardening({
        events: [{ ...planted, version: 2, older: { 1: { schema: z.object({ at: z.date() }), upcast: (data) => data } } }, renamed],
      }),
    /the schema of "bed.planted.v1" has no form in JSON Schema/,
  ],
  'two reads of one name': [() => twoReads({ name: 'get_bed' }), /two operations are called x_gardens_get_bed/],
  'two reads of one operation id': [
    () =>
      gardening({
        model: {
          reads: [
            { ...getBed, name: 'a_1' },
            { ...getBed, name: 'a1', path: '/other/{bedId}' },
          ],
        },
      }),
    /two operations have the id xGardensA1/,
  ],
  'two reads of one path': [() => twoReads({ path: getBed.path }), /two operations answer on \/public/],
  'two paths that differ in the name of a parameter': [
    () =>
      twoReads({
        path: '/beds/{id}',
        input: z.object({ bedId: z.string(), id: z.string() }),
        example: { input: { bedId: 'b', id: 'b' }, output: { title: '' } },
      }),
    /two operations answer on .*\/beds\/\{bedId\} and .*\/beds\/\{id\}/,
  ],
  'a tool with a long name': [() => gardening({ read: { name: 'a'.repeat(55) } }), /a name of more than 64 characters/],
  'a read of no model': [() => gardening({ read: { models: [] } }), /reads no model/],
  'a list as input': [() => withInput(z.array(z.string())), /"field" of "get_bed" cannot be sent in an address/],
  'an object as input': [() => withInput(z.object({})), /"field" of "get_bed" cannot be sent in an address/],
  'a number or null as input': [() => withInput(z.number().nullable()), /"field" of "get_bed" cannot be sent in an address/],
  'an input with an id': [
    () => gardening({ read: { input: z.object({ bedId: z.string() }).meta({ id: 'XGardensBed' }) } }),
    /the input of "get_bed" must have no id/,
  ],
}

t.test('inputs that are made of text are accepted', async (t) => {
  const Name = z.string().meta({ id: 'XGardensName' })
  const fields = [z.number(), z.int(), z.coerce.number(), z.boolean(), z.enum(['a', 'b']), z.string().nullable(), z.union([z.int(), Name])]
  for (const field of [...fields, Name, z.string().transform((text) => text.split(',')), z.stringbool(), z.literal([1, 'a']), z.unknown()])
    t.ok(modelSet([withInput(field)]))
})

t.test('models that break a rule are refused, with a line that says why', async (t) => {
  for (const [what, [models, message]] of Object.entries(REFUSED)) t.throws(() => modelSet([models()].flat()), { message }, what)
})

t.test('names of fields and indexes are errors of the compiler', async (t) => {
  // @ts-expect-error: there is no field "titel"
  t.throws(() => bed.index('byName', ['titel']), /beds has no field "titel" \(did you mean "title"\?\)/)
  // @ts-expect-error: there is no index "byTitel"
  t.throws(() => list(bed, 'byTitel', { ...beds, path: '/' }))
  // @ts-expect-error: there is no field "titel"
  t.throws(() => get(bed, { ...beds, fields: ['titel'] }))
  // @ts-expect-error: it refers to nothing
  t.throws(() => get(bed, { ...beds, cards: { by: 'title' } }))
  t.ok(get(bed, { ...beds, cards: { by: 'creatorId' } }))
  // @ts-expect-error: there is no field "titel"
  t.throws(() => declared({ ...basics, on: { 'bed.planted': () => bed({ titel: '' }) } }))
  // @ts-expect-error: it must be among the events
  const unlisted = declared({ ...basics, events: [planted], on: { 'bed.renamed': () => null } })
  t.throws(() => modelSet([gardening({ model: { projection: unlisted } })]), /handles "bed.renamed", which is no event type/)
  t.throws(
    () => bed.index('byTitle', ['title']) && declared({ ...basics, keeps: [bed.index('byTitle', ['title'])], on: {} }),
    /two indexes "byTitle"/,
  )
  t.throws(
    () =>
      declared({
        ...basics,
        keeps: [state('bed', { by: first(person), of: latest(z.string()) }, { indexes: [{ name: 'a', fields: ['off'], use: 'query' }] })],
        on: {},
      }),
    /bed has no field "off"/,
  )
})
