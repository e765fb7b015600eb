import t from 'tap'
import { defineModels, type OwnModels } from '../../../src/compose/models/define-models.js'
import { modelSet } from '../../../src/compose/models/model-set.js'
import { API_LIMIT_RULES, WEB_LIMIT_RULES } from '../../../src/http/rate-limit/limit-classes.js'
import { living, Tombstone, z } from '../../../src/index.js'
import { beds, gardening, gardens, getBed, planted, renamed } from './fixture.js'

const { 'creator.removed': removal, ...withoutRemoval } = gardens.on
const twoReads = (read: Partial<typeof getBed>) =>
  gardening({ model: { reads: [getBed, { ...getBed, name: 'other', path: '/other/{bedId}', ...read }] } })
const withInput = (field: z.ZodType) => gardening({ read: { input: z.object({ bedId: z.string(), field: field.optional() }) } })
const changed = (changes: Partial<typeof gardens>) => gardening({ model: { projection: { ...gardens, ...changes } } })

t.test('models that keep the rules are within their namespace', async (t) => {
  const { names, reads, events } = modelSet([gardening()])
  t.ok(names.includes('gardens'))
  const own = reads.at(-1)
  t.match(own, { name: 'x_gardens_get_bed', operationId: 'xGardensGetBed', path: '/public/share/x/gardens/beds/{bedId}', tag: 'x-gardens' })
  for (const rules of [API_LIMIT_RULES, WEB_LIMIT_RULES])
    t.equal(rules.find(([pattern]) => pattern.test(`GET ${own?.path}`))?.[1], 'public', 'within the limit of public reads')
  t.ok(events.aggregates.includes('bed'))
})

/** With another field that names people. */
const showing = (field: string, shape: z.ZodRawShape = {}) => {
  const schema = z.discriminatedUnion('removed', [z.object({ ...living, creatorId: z.string(), ...shape }), Tombstone])
  return changed({ collections: [...gardens.collections, { name: 'signs', schema, indexes: [], shows: [field] }] })
}

t.test('people may be named by a text or a list of texts, in objects, too, and some documents may name nobody', async (t) => {
  const ids = z.array(z.string())
  t.ok(modelSet([showing('_id')]))
  t.ok(modelSet([showing('helperIds', { helperIds: ids })]))
  t.ok(modelSet([showing('by.creatorId', { by: z.object({ creatorId: z.string().nullable() }).optional() })]))
  t.ok(modelSet([showing('by.de', { by: z.record(z.string(), ids.default([])) })]))
  t.ok(modelSet([showing('by', { by: z.unknown() })]))
  t.ok(modelSet([showing('by.id', { by: z.object({ id: z.string() }).meta({ id: 'By' }), also: z.lazy(() => z.string()) })]))
})

const REFUSED: Record<string, [models: () => OwnModels | OwnModels[], message: RegExp]> = {
  'an async fold': [
    () => changed({ on: { ...gardens.on, 'bed.planted': { apply: Object(async () => {}) } } }),
    /folds "bed.planted" with an async function/,
  ],
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
  'a person in no field': [() => gardening({ events: [{ ...planted, people: ['owner'] }, renamed] }), /has no field "owner"/],
  'people of another event that names none': [
    () => gardening({ events: [planted, { ...renamed, people: { sameAs: 'bed.sown' } }] }),
    /no event type of a bed with this name has people/,
  ],
  'a person in a field that holds no id': [
    () =>
      gardening({
        events: [
          {
            ...planted,
            schema: z.object({ bedId: z.string(), boss: z.object({ id: z.string() }) }),
            people: ['boss'],
            example: { bedId: 'b_1', boss: { id: 'u_1' } },
          },
        ],
      }),
    /"boss" of "bed.planted" must hold the id of a person/,
  ],
  'a redaction that takes nothing': [
    () => gardening({ events: [{ ...planted, redact: () => planted.example }, renamed] }),
    /redacting "bed.planted" leaves its example as it is/,
  ],
  'words of nobody': [() => gardening({ events: [{ ...planted, people: [] }] }), /not whose they are/],
  'a redaction that forgets whose it is': [
    () => gardening({ events: [{ ...planted, redact: () => ({ bedId: 'b_1', creatorId: 'u_2', title: '' }) }, renamed] }),
    /must keep "creatorId"/,
  ],
  'a redaction that breaks the schema': [
    () => gardening({ events: [{ ...planted, redact: () => ({}) }, renamed] }),
    /what redacting leaves/,
  ],
  'a redaction that goes on and on': [
    () => gardening({ events: [{ ...planted, redact: (data) => ({ ...Object(data), title: `${Object(data).title}x` }) }, renamed] }),
    /redacted twice/,
  ],
  'a version without the one before': [
    () => gardening({ events: [{ ...planted, version: 2 }, renamed] }),
    /nothing turns version 1 into 2/,
  ],
  'a projection of another name': [() => changed({ name: 'feed' }), /is called "gardens" or "gardens-…"/],
  'an unknown event': [
    () => changed({ on: { ...gardens.on, 'bed.plantd': { apply() {} } } }),
    /handles "bed.plantd".*did you mean "?bed.planted/i,
  ],
  'an event type that is not listed': [() => gardening({ events: [planted] }), /which defineModels\(\) does not list/],
  'no state of an aggregate': [
    () => changed({ state: Object.fromEntries(Object.entries(gardens.state).filter(([kind]) => kind !== 'bed')) }),
    /keeps no state of a bed/,
  ],
  'people, but no erasure': [
    () => changed({ on: withoutRemoval }),
    /must handle "creator.removed".*"bed.planted", which holds data of people/,
  ],
  'documents that do not say whose they are': [
    () => {
      const { shows: _, ...silent } = beds
      const [, gardeners] = gardens.collections
      const state = { ...gardens.state, bed: { collection: silent, blank: () => ({ _id: '', seq: 0, removed: false }) } }
      return changed({ collections: [silent, ...(gardeners === undefined ? [] : [gardeners])], state })
    },
    /must say which of its fields are ids of people/,
  ],
  'a field that names people and is not there': [() => showing('creatorID'), /"signs" of "gardens" .*"creatorID".* has no such field/],
  'one that is not there in an object': [() => showing('by.id', { by: z.object({ creatorId: z.string() }) }), /has no such field/],
  'one that holds no id': [() => showing('by', { by: z.object({ creatorId: z.string() }) }), /has no such field/],
  'one within a list': [() => showing('by.id', { by: z.array(z.object({ id: z.string() })) }), /has no such field/],
  'a path outside': [() => gardening({ read: { path: '/../tags' } }), /the path of "get_bed"/],
  'a parameter that is no input': [() => gardening({ read: { path: '/{gardenId}' } }), /\{gardenId\} in its path but not in its input/],
  'a model that does not exist': [() => gardening({ read: { models: ['meadows'] } }), /reads the model "meadows", which does not exist/],
  'a model of ours': [
    () => gardening({ read: { models: ['gardens', 'profiles'] } }),
    /reads the model "profiles", which is not of "gardens"/,
  ],
  'a model of others': [
    () => {
      const projection = { ...gardens, name: 'parks', on: {}, state: {}, ownEvents: [] }
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
  t.ok(removal)
  for (const [what, [models, message]] of Object.entries(REFUSED))
    t.throws(() => modelSet([models()].flat()), { name: 'ModelsError', message }, what)
})
