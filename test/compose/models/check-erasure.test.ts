/** Words that erasure would not find are refused when models are loaded, wherever a model copies them. */
import t from 'tap'
import { defineModels } from '../../../src/compose/models/define-models.js'
import { modelSet } from '../../../src/compose/models/model-set.js'
import {
  addTo,
  best,
  CreatorId,
  countBy,
  counts,
  declared,
  edge,
  event,
  first,
  id,
  latest,
  max,
  own,
  person,
  state,
  text,
  total,
  z,
} from '../../../src/index.js'
import { planted, renamed as renamedBed } from './fixture.js'

/** Of two types that name people, it says whose its words are. */
const renamed = { ...renamedBed, people: { sameAs: planted.name } }

type Declaration = Parameters<typeof declared<typeof planted | typeof renamed | typeof noted>>[0]

/** Words of a person other than whom the bed belongs to. They need not be there. */
const noted = event({
  name: 'bed.noted',
  summary: 'A person wrote a note about a bed.',
  schema: z.object({ bedId: id, guestId: CreatorId, note: text(90).optional() }),
  example: { bedId: 'b_1', guestId: 'u_1' },
})

const load = (parts: Partial<Declaration>) => () => {
  const projection = declared<typeof planted | typeof renamed | typeof noted>({
    ...{ name: 'gardens', version: 1, events: [planted, renamed, noted], keeps: [], on: {} },
    ...parts,
  })
  return modelSet([defineModels({ namespace: 'gardens', models: [{ projection }] })])
}

const owned = state('bed', { by: first(person), title: latest(''), note: latest('') }, { name: 'beds' })
const unowned = state('bed', { title: latest(''), note: latest('') }, { name: 'beds' })
const gardener = state('creator', { beds: total() }, { name: 'gardeners' })
const adding = addTo(gardener, { of: owned, through: 'by', reads: [], adds: ['beds'] }, () => ({ beds: 1 }))
const titles = counts('titles', { title: z.string() })
const countTitles = { into: titles, doc: (title: string, count: number) => ({ title, count }) }
const refusal = (event: string, collection: string) => ({
  message: new RegExp(
    `words of "${event}" would stay in "${collection}" when their person is erased: keep them in a state with "by: first`,
  ),
})

t.test('words in a state of no person', async (t) => {
  const on: Declaration['on'] = { 'bed.planted': ({ data: { title } }) => unowned({ title }) }
  t.throws(load({ keeps: [unowned], on }), refusal('bed.planted', 'beds'))
  t.throws(load({ keeps: [unowned, state('creator', {})], on }), refusal('bed.planted', 'beds'), 'which also keeps people')
  const silent: Declaration['on'] = { 'bed.planted': ({ data: { title } }) => owned({ title }) }
  t.throws(load({ keeps: [owned], on: silent }), refusal('bed.planted', 'beds'), 'with a register that no event sets')
  const ours = state('creation', { title: latest(z.record(z.string(), z.string()), {}) }, { name: 'titles' })
  t.throws(
    load({ keeps: [ours], on: { 'creation.published': ({ data: { title } }) => ours({ title }) } }),
    refusal('creation.published', 'titles'),
    'of an event of ours',
  )
})

t.test('words of one person in what belongs to another', async (t) => {
  const on: Declaration['on'] = { 'bed.planted': ({ data: { creatorId, title } }) => owned({ by: creatorId, title }) }
  t.throws(load({ keeps: [owned], on: { ...on, 'bed.noted': ({ data: { note } }) => owned({ note }) } }), refusal('bed.noted', 'beds'))
  const guests = state('bed', { by: first(person), guest: latest(person), title: latest(''), note: latest('') }, { name: 'beds' })
  t.doesNotThrow(
    load({
      keeps: [guests],
      on: {
        'bed.planted': ({ data: { creatorId, title } }) => guests({ by: creatorId, title }),
        'bed.noted': ({ data: { guestId, note } }) => guests({ guest: guestId, note }),
      },
    }),
  )
})

t.test('words that are copied, counted or compared', async (t) => {
  const on: Declaration['on'] = { 'bed.planted': ({ data: { title } }) => unowned({ title }) }
  const loud = state('bed', { longest: best(z.string(), (a, b) => a.length > b.length) }, { name: 'beds' })
  const said: Declaration['on'] = { 'bed.planted': ({ data: { title } }) => loud({ longest: title.toUpperCase() }) }
  t.throws(load({ keeps: [loud], on: said }), refusal('bed.planted', 'beds'))
  const keys = countBy(unowned, ['title'], ({ title }) => (title === '' ? [] : [title]), countTitles)
  t.throws(load({ keeps: [unowned], on, views: [keys] }), refusal('bed.planted', 'beds'))
  const notes = edge('bed', 'notes', { bedId: own, guestId: person }, { note: latest('') })
  const noting: Declaration['on'] = { 'bed.noted': ({ data: { guestId, note } }) => notes(guestId, { note }) }
  t.doesNotThrow(load({ keeps: [unowned, notes], on: noting }), 'an edge goes with its end')
  t.throws(load({ keeps: [unowned, notes], on: { 'bed.noted': () => notes('u_1', {}), ...on } }), refusal('bed.planted', 'beds'))
})

t.test('words that go with their person', async (t) => {
  const keys = countBy(owned, ['title'], ({ title }) => (title === '' ? [] : [title]), countTitles)
  const on: Declaration['on'] = {
    'bed.planted': ({ data: { creatorId, title } }) => owned({ by: creatorId, title }),
    // It names nobody: the words are those of whom "bed.planted" names.
    'bed.renamed': ({ data: { title } }) => owned({ title }),
  }
  t.doesNotThrow(load({ keeps: [owned, gardener], on, views: [keys, adding] }))
  const talking = addTo(gardener, { of: owned, through: 'by', reads: ['title'], adds: ['beds'] }, ({ title }) => ({
    beds: title === '' ? 0 : 1,
  }))
  t.doesNotThrow(load({ keeps: [owned, gardener], on, views: [talking] }), 'also where only those with words count')
  const joined = state('creator', { registered: latest(false) }, { name: 'gardeners' })
  t.doesNotThrow(load({ keeps: [owned.join('gardener', joined.of('by', ['registered'])), joined], on: {} }))
  t.throws(load({ keeps: [owned], on: { 'bed.renamed': ({ data: { title } }) => owned({ title }) } }), refusal('bed.renamed', 'beds'))
  const times = state('bed', { newest: max(0) }, { name: 'beds' })
  t.doesNotThrow(load({ keeps: [times], on: { 'bed.planted': ({ time }) => times({ newest: time }) } }), 'no words, no person')
})

t.test('words of whom an event of another model names', async (t) => {
  const on: Declaration['on'] = { 'bed.planted': ({ data: { creatorId, title } }) => owned({ by: creatorId, title }) }
  const beds = declared<typeof planted>({ name: 'gardens', version: 1, events: [planted], keeps: [owned], on })
  const names = declared<typeof renamed>({
    ...{ name: 'gardens-names', version: 1, events: [renamed], keeps: [unowned] },
    on: { 'bed.renamed': ({ data: { title } }) => unowned({ title }) },
  })
  const models = [{ projection: beds }, { projection: names }]
  t.throws(() => modelSet([defineModels({ namespace: 'gardens', models })]), refusal('bed.renamed', 'beds'))
})
