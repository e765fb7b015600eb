/** The reads that are made of declarations: one document, pages of an index, and cards of our models. */
import t from 'tap'
import { modelSet } from '../../../src/compose/models/model-set.js'
import { PublicUrls } from '../../../src/contract/public-urls.js'
import {
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
  idOf,
  latest,
  list,
  own,
  person,
  state,
  text,
  z,
} from '../../../src/index.js'
import { ReadExecutor } from '../../../src/operations/read-executor.js'
import { foldLive } from '../../../src/testing/fold.js'
import { given } from '../../../src/testing/given.js'
import { type Happened, happened, toRecords } from '../../../src/testing/happened.js'
import { openedStore } from '../../spec/opened-store.js'

const noted = event({
  name: 'note.taken',
  summary: 'A person took a note on a creation.',
  schema: z.object({ noteId: id, by: CreatorId, about: CreationId, words: text(100), tags: z.array(id), rank: z.number() }),
  example: { noteId: 'n_1', by: 'u_1', about: 'c_1', words: 'Oh', tags: ['a'], rank: 1 },
})
const note = state(
  'note',
  { by: first(person), about: first(idOf('creation')), words: latest(''), tags: latest(z.array(z.string()), []), rank: latest(0) },
  { name: 'notes' },
)
  .index('ranked', ['by', 'rank'], 'desc')
  .index('all', ['rank', 'words'])
  .index('tagged', ['tags', 'rank'])
const reader = edge('note', 'readers', { noteId: own, readerId: person }, { at: latest(0) }).index('reads', ['readerId', 'at'])
const tags = counts('tags', { label: z.string() }).index('popular', ['count'], 'desc')
const notes = declared({
  ...{ name: 'notes', version: 1, events: [noted], keeps: [note, reader] },
  on: { 'note.taken': ({ data: { noteId: _, ...data } }) => [note(data), reader(data.by, { at: data.rank })] },
  views: [countBy(note, ['tags'], (n) => n.tags, { into: tags.documents, doc: (key, count) => ({ label: key.toUpperCase(), count }) })],
})

const cards = { creation: 'about', author: 'by' } as const
const getNote = get(note, { name: 'get_note', path: '/{noteId}', summary: 'A note', fields: ['words'], cards, notFound: 'No such note' })
const listNotes = list(note, 'ranked', { name: 'list_notes', path: '/by/{by}', summary: 'Notes of a person', fields: ['words'], cards })
const allNotes = list(note, 'all', { name: 'all_notes', path: '/all', summary: 'All notes', fields: ['words', 'rank'] })
const tagged = list(note, 'tagged', { name: 'tagged_notes', path: '/tagged/{tags}', summary: 'Notes with a tag', fields: ['words'] })
const readNotes = list(reader, 'reads', {
  name: 'read',
  path: '/read/{readerId}',
  summary: 'Read',
  fields: ['at'],
  cards: { reader: 'readerId' },
})
const getTag = get(tags, { name: 'get_tag', path: '/tags/{tag}', summary: 'A tag', fields: ['label', 'count'] })
const popular = list(tags, 'popular', { name: 'popular', path: '/tags', summary: 'Tags', fields: ['label'] })
const models = defineModels({
  namespace: 'notes',
  models: [{ projection: notes, reads: [getNote, listNotes, allNotes, tagged, readNotes, getTag, popular] }],
})

const take = (noteId: string, by: string, words: string, rank = 1, labels: string[] = []): Happened =>
  happened(noted, { noteId, by, about: 'c_1', words, tags: labels, rank })
const registered = (creatorId: string) =>
  happened('creator.registered', { creatorId, handle: creatorId, displayName: creatorId.toUpperCase() })
const title = { en: 'Tide', de: 'Gezeiten' }
const publication = happened('creation.published', {
  ...{ creationId: 'c_1', creatorId: 'bob', kind: 'app', slug: 'tide', title, description: title },
  ...{ category: 'games', tags: [], coverUrl: null, remixOf: null },
})
const bob = { handle: 'bob', displayName: 'BOB', avatarUrl: null }
const creation = { slug: 'tide', title: 'Tide', url: 'https://bob.vitrine.example/tide', creator: bob }
const author = { handle: 'ann', displayName: 'ANN', avatarUrl: null, url: 'https://ann.vitrine.example/' }

t.test('a document has cards of our models, or null where they are gone', async () => {
  const known = given(models, registered('ann'), registered('bob'), publication, take('n_1', 'ann', 'Oh'))
  await known.answers(getNote, { noteId: 'n_1' }, { words: 'Oh', creation, author })
  await known.answers(getNote, { noteId: 'n_1', locale: 'de' }, { words: 'Oh', creation: { ...creation, title: 'Gezeiten' }, author })
  await known.answers(listNotes, { by: 'ann' }, { items: [{ words: 'Oh', creation, author }], next_cursor: null })
  await known.answers(readNotes, { readerId: 'ann' }, { items: [{ at: 1, reader: author }], next_cursor: null })
  await given(models, take('n_1', 'ann', 'Oh')).answers(getNote, { noteId: 'n_1' }, { words: 'Oh', creation: null, author: null })
  const gone = known.when(happened('creator.removed', { creatorId: 'bob' }))
  await gone.answers(getNote, { noteId: 'n_1' }, { words: 'Oh', creation: null, author })
  const hidden = known.when(happened('creation.unpublished', { creationId: 'c_1' }))
  await hidden.answers(getNote, { noteId: 'n_1' }, { words: 'Oh', creation: null, author })
  const erased = known.when(happened('creator.removed', { creatorId: 'ann' }))
  await erased.answers(getNote, { noteId: 'n_1' }, null)
  await erased.answers(listNotes, { by: 'ann' }, { items: [], next_cursor: null })
})

t.test('a document is found while it is listed, and not after an event that removes it', async () => {
  const schema = z.object({ planId: id })
  const types = (['begun', 'hidden', 'dropped'] as const).map((what) =>
    event({ name: `plan.${what}`, summary: 'A plan.', schema, example: { planId: 'p_1' } }),
  )
  const [begun, hidden, dropped] = types.map((type) => happened(type, { planId: 'p_1' }))
  const plan = state('plan', { begun: latest(0), isHidden: latest(false) }, { name: 'plans' })
    .derive('shownAs', z.number().nullable(), ['begun', 'isHidden'], (p) => (p.begun === 0 || p.isHidden ? null : p.begun))
    .index('shown', ['shownAs'])
  const getPlan = get(plan, { name: 'get_plan', path: '/{planId}', summary: 'A plan', fields: ['begun'], listedBy: 'shown' })
  const on = { 'plan.begun': () => plan({ begun: 1 }), 'plan.hidden': () => plan({ isHidden: true }), 'plan.dropped': () => plan.removed() }
  const projection = declared({ name: 'plans', version: 1, events: types, keeps: [plan], on })
  const plans = defineModels({ namespace: 'plans', models: [{ projection, reads: [getPlan] }] })
  const after = (...events: (Happened | undefined)[]) => given(plans, ...events.filter((each) => each !== undefined))
  await after(begun).answers(getPlan, { planId: 'p_1' }, { begun: 1 })
  await after(hidden).answers(getPlan, { planId: 'p_1' }, null)
  await after(begun, hidden).answers(getPlan, { planId: 'p_1' }, null)
  await after(begun, dropped).answers(getPlan, { planId: 'p_1' }, null)
  await after(begun, dropped, begun).answers(getPlan, { planId: 'p_1' }, null)
})

t.test('what is counted is read in the same way', async () => {
  const counted = given(models, take('n_1', 'ann', 'Oh', 1, ['a', 'b']), take('n_2', 'ann', 'Ah', 2, ['a']))
  await counted.answers(getTag, { tag: 'a' }, { label: 'A', count: 2 })
  await counted.answers(popular, {}, { items: [{ label: 'A' }, { label: 'B' }], next_cursor: null })
  await counted.answers(tagged, { tags: 'a' }, { items: [{ words: 'Oh' }, { words: 'Ah' }], next_cursor: null })
})

t.test('an index on a list lists for one of its elements', async (t) => {
  const spec = { name: 'tagged', path: '/tagged', summary: 'Notes with a tag', fields: ['words'] } as const
  t.throws(() => list(note, 'tagged', spec), {
    message: /"tagged" lists by "tagged", which is by the elements of "tags": its path needs \{tags\}/,
  })
  const run: typeof tagged.run = async ({ model }) => {
    await model('notes').range(note.documents, { index: 'tagged', equals: [], limit: 1 })
    return { items: [], next_cursor: null }
  }
  const careless = defineModels({ namespace: 'notes', models: [{ projection: notes, reads: [{ ...tagged, run }] }] })
  await t.rejects(given(careless, take('n_1', 'ann', 'Oh')).answers(tagged, { tags: 'a' }, {}), {
    cause: { message: /is by the elements of "tags": a query has to give one/ },
  })
})

async function asked(events: readonly Happened[]) {
  const { projections, reads } = modelSet([models])
  const store = await openedStore(t)
  for (const projection of projections)
    if (['notes', 'feed'].includes(projection.name)) await foldLive(store, projection, [toRecords(events)])
  const executor = new ReadExecutor(store, new PublicUrls('vitrine.example'))
  return async (name: string, input: Record<string, unknown>) => {
    const operation = reads.find((each) => each.name === `x_notes_${name}`)
    if (operation === undefined) throw new Error(`there is no ${name}`)
    const { data, subjects } = await executor.execute(operation, input)
    return { ...Object(data), subjects }
  }
}

t.test('pages follow each other, with one field of the index open or several', async (t) => {
  const events = Array.from({ length: 7 }, (_, i) => take(`n_${i}`, 'ann', `Word ${i % 3}`, i % 2))
  const ask = await asked([...events, take('n_9', 'bob', 'Other')])
  for (const [name, input, all] of [
    ['list_notes', { by: 'ann' }, 7],
    ['all_notes', {}, 8],
  ] as const) {
    const whole = await ask(name, input)
    t.equal(whole.next_cursor, null)
    const found: unknown[] = []
    let cursor: string | null | undefined
    do {
      const page = await ask(name, { ...input, limit: 2, cursor: cursor ?? undefined })
      t.ok(page.items.length <= 2)
      found.push(...page.items)
      cursor = page.next_cursor
    } while (cursor !== null)
    t.equal(found.length, all)
    t.strictSame(found, whole.items)
  }
  const { next_cursor: cursor } = await ask('list_notes', { by: 'ann', limit: 2 })
  await t.rejects(ask('list_notes', { by: 'bob', cursor }), { message: /belongs to another query/ })
  await t.rejects(ask('all_notes', { cursor }), { message: /belongs to another query/ })
  await t.rejects(ask('list_notes', { by: 'ann', cursor: 'x' }), { message: /is damaged/ })
})

t.test('an answer with cards is known to show the words of those behind them', async (t) => {
  const ask = await asked([registered('ann'), registered('bob'), publication, take('n_1', 'ann', 'Oh')])
  const { subjects } = await ask('get_note', { noteId: 'n_1' })
  for (const subject of ['ann', 'bob', 'c_1']) t.ok(subjects.has(subject), subject)
})

t.test('their examples come from those of the events', async (t) => {
  const { reads } = modelSet([models])
  const exampleOf = (name: string) => reads.find((each) => each.name === `x_notes_${name}`)?.example
  t.match(exampleOf('get_note'), {
    input: { noteId: 'n_1' },
    output: { words: 'Oh', creation: { title: String }, author: { handle: String } },
  })
  t.match(exampleOf('list_notes'), { input: { by: 'u_1' }, output: { items: [{ words: 'Oh' }], next_cursor: null } })
  t.match(exampleOf('get_tag'), { input: { tag: 'a' }, output: { label: 'A', count: 1 } })
})

t.test('a read by hand cannot look into the model of the cards', async (t) => {
  const sly = {
    ...getNote,
    run: async ({ model }: Parameters<typeof getNote.run>[0]) => model('feed').ids(note.documents, { index: '_id', equals: [], limit: 1 }),
  }
  const own = defineModels({ namespace: 'notes', models: [{ projection: notes, reads: [sly] }] })
  await t.rejects(given(own).answers(sly, { noteId: 'n_1' }, {}), { cause: { message: /"feed" does not declare this collection/ } })
})
