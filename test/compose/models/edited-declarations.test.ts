/** A declaration that says something else, under the same version. */
import t from 'tap'
import { editedDeclarations, notingDeclarations } from '../../../src/compose/models/edited-declarations.js'
import { modelSet } from '../../../src/compose/models/model-set.js'
import { best, countBy, counts, declared, first, latest, person, state, sum, z } from '../../../src/index.js'
import { openedStore } from '../../spec/opened-store.js'
import { bed, gardening, gardens, planted, renamed } from './fixture.js'

const basics = { name: 'gardens', version: 1, events: [planted, renamed] }
const titles = counts('titles', {})

const EDITED: Record<string, () => typeof gardens> = {
  'a register': () => {
    const other = state('bed', { creatorId: first(person), title: first('') }, { name: 'beds' })
    return declared({ ...basics, keeps: [other], on: { 'bed.planted': ({ data: { creatorId, title } }) => other({ creatorId, title }) } })
  },
  'what an event says': () => declared({ ...basics, keeps: [bed], on: { 'bed.planted': ({ data: { creatorId } }) => bed({ creatorId }) } }),
  'a derived field': () => {
    const other = bed.derive('loud', z.string(), ['title'], ({ title }) => title.toUpperCase())
    return declared({ ...basics, keeps: [other], on: { 'bed.planted': ({ data: { creatorId, title } }) => other({ creatorId, title }) } })
  },
  'a view': () => {
    const count = countBy(bed, ['title'], ({ title }) => (title === '' ? [] : [title]), {
      into: titles.documents,
      doc: (_, n) => ({ count: n }),
    })
    return declared({ ...basics, keeps: [bed], on: {}, views: [count] })
  },
  'an index': () => declared({ ...basics, keeps: [bed.index('byOwner', ['creatorId'])], on: {} }),
}

const GIVEN = {
  beats: (a: string, b: string) => a > b,
  keys: ({ title }: { title: string | null }) => (title === null ? [] : [title]),
  doc: (_: string, count: number) => ({ count }),
  derives: ({ title }: { title: string | null }) => title?.toUpperCase() ?? '',
  adds: (a: bigint, b: bigint) => a - b,
  zero: 0n,
}

t.test('an edit without a new version is told until the model is rebuilt', async (t) => {
  const store = await openedStore(t)
  const before = modelSet([gardening()])
  t.strictSame(await editedDeclarations(store, before), [], 'there is nothing yet')
  await store.promote(await notingDeclarations(store, before.projections).createGeneration('gardens', 1, []))
  t.strictSame(await editedDeclarations(store, before), [])
  for (const [what, edit] of Object.entries(EDITED)) {
    const after = modelSet([gardening({ model: { projection: edit(), reads: [] } })])
    t.strictSame(await editedDeclarations(store, after), ['gardens was edited, but still has version 1'], what)
    const raised = modelSet([gardening({ model: { projection: { ...edit(), version: 2 }, reads: [] } })])
    t.strictSame(await editedDeclarations(store, raised), [], `${what}, with a new version`)
  }
  const after = modelSet([gardening({ model: { projection: EDITED['a view']?.() ?? gardens } })])
  await store.promote(await notingDeclarations(store, after.projections).createGeneration('gardens', 1, []))
  t.strictSame(await editedDeclarations(store, after), [], 'rebuilt')
  t.strictSame(await editedDeclarations(store, before), ['gardens was edited, but still has version 1'], 'and back')
})

t.test('what is forgotten with its generation', async (t) => {
  const store = await openedStore(t)
  const running = notingDeclarations(store, modelSet([gardening()]).projections)
  const first = await running.createGeneration('gardens', 1, [])
  await store.dropGeneration(first)
  await running.createGeneration('gardens', 1, [])
  t.strictSame(
    (await store.controlRecords('declaration')).map(({ id }) => id),
    ['gardens.2'],
  )
  await running.createGeneration('integrity', 1, [])
  t.equal((await store.controlRecords('declaration')).length, 1, 'what is not declared has no digest')
})

t.test('layout and types are no edit', async (t) => {
  const same = (on: string) => declared({ ...basics, keeps: [bed], on: { 'bed.renamed': Function(`return ${on}`)() } }).digest?.()
  t.equal(same('({ data }) => null'), same('({data})  =>\n    null'))
  t.equal(same('() => { return null }'), same('() => {\n  return null;\n}'), 'two compilers')
  t.not(same('({ data }) => null'), same('({ data }) => []'))
  const plain = state('bed', { title: latest('') })
  t.equal(
    declared({ ...basics, keeps: [plain], on: {} }).digest?.(),
    declared({ ...basics, version: 2, keeps: [plain], on: {} }).digest?.(),
  )
})

t.test('every function that a declaration is given counts', async (t) => {
  const digest = (given: Partial<typeof GIVEN>) => {
    const { beats, keys, doc, derives, adds, zero } = { ...GIVEN, ...given }
    const group = { schema: z.string(), zero: '0', none: zero, add: (a: string, b: bigint) => String(BigInt(a) + b), minus: adds }
    const kept = state('bed', { creatorId: first(person), title: best(z.string(), beats), all: sum(group) }, { name: 'beds' })
    const bed = kept.derive('loud', z.string(), ['title'], derives)
    const views = [countBy(bed, ['title'], keys, { into: titles.documents, doc })]
    return declared({ ...basics, keeps: [bed], on: {}, views }).digest?.()
  }
  const others: Partial<typeof GIVEN> = {
    beats: (a, b) => a < b,
    keys: ({ title }) => (title === null ? [] : ['all']),
    doc: (_, count) => ({ count: count + 1 }),
    derives: () => 'LOUD',
    adds: (a, b) => b - a,
    zero: 1n,
  }
  t.equal(digest({}), digest({}))
  for (const [name, other] of Object.entries(others)) t.not(digest({ [name]: other }), digest({}), name)
})
