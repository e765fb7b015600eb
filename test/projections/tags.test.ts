import t from 'tap'
import { creation, creator, tagsProjection } from '../../projections/tags/index.js'
import { TAG_TOTAL, tags, tagTotal } from '../../readmodels/tags/documents.js'
import { edited, erased, published, registered, removed, republished, type Told, unpublished } from '../spec/events.js'
import { type Expectation, holds, lists, only, projecting } from '../spec/given.js'

const { documents: tagged } = creation
const { documents: tagCreators } = creator
const { given, when } = projecting(tagsProjection)

const ann = registered('ann')
const one = published('c1', { by: 'ann', tags: ['Calm', 'logic'] })
const two = published('c2', { by: 'ann', tags: ['calm'] })

/** All tags with their counts, and how many there are. */
function counts(expected: Record<string, number>): Expectation {
  return async (t, world) => {
    const found = await world.all(tags)
    t.strictSame(Object.fromEntries(found.map(({ _id, count }) => [_id, count])), expected, 'tags and counts')
    const total = await world.doc(tagTotal, TAG_TOTAL)
    t.equal(total?.count ?? 0, Object.keys(expected).length, 'the number of tags')
  }
}

t.test('creation.published: each distinct tag counts once; frequent ones first, ties by key', (t) =>
  given(ann, one)
    .when(two, published('c3', { by: 'ann', tags: ['#CALM', 'calm', 'zen', '   '] }))
    .then(
      t,
      counts({ calm: 3, logic: 1, zen: 1 }),
      holds(tags, { calm: { label: 'calm', count: 3, rank: -3 } }),
      lists(tags, 'popular', [], ['calm', 'logic', 'zen']),
    ),
)

t.test('a label is made from the key, not from the first use of the tag', (t) =>
  given(ann)
    .when(published('c1', { by: 'ann', tags: ['#Habit  Tracking'] }), published('c2', { by: 'ann', tags: ['habit-tracking'] }))
    .then(t, only(tags, { 'habit-tracking': { label: 'habit tracking', count: 2 } })),
)

t.test('creation.edited: tags edited away, kept and added', async (t) => {
  const cases: [string, Told, Record<string, number>][] = [
    ['one replaced', edited('c1', { tags: ['calm', 'new'] }), { calm: 2, new: 1 }],
    ['none left', edited('c1', { tags: [] }), { calm: 1 }],
    ['nothing said of tags', edited('c1', { title: { en: 'x' } }), { calm: 2, logic: 1 }],
    ['the same in another order', edited('c1', { tags: ['logic', 'calm'] }), { calm: 2, logic: 1 }],
  ]
  for (const [name, edit, expected] of cases) await t.test(name, (t) => given(ann, one, two).when(edit).then(t, counts(expected)))
})

t.test('creation.unpublished and creation.republished: only what is public counts', async (t) => {
  await t.test('hidden', (t) =>
    given(ann, one, two)
      .when(unpublished('c1'))
      .then(t, counts({ calm: 1 })),
  )
  await t.test('shown again', (t) =>
    given(ann, one, two, unpublished('c1'))
      .when(republished('c1'))
      .then(t, counts({ calm: 2, logic: 1 })),
  )
  await t.test('edited while hidden', (t) =>
    given(ann, one, unpublished('c1'), edited('c1', { tags: ['zen'] }))
      .when(republished('c1'))
      .then(t, counts({ zen: 1 })),
  )
  await t.test('hidden twice', (t) =>
    given(ann, one, two)
      .when(unpublished('c1'), unpublished('c1'))
      .then(t, counts({ calm: 1 })),
  )
  await t.test('shown without ever being published', (t) => given(ann).when(republished('c9')).then(t, counts({})))
  await t.test('published again', (t) =>
    given(ann, one, unpublished('c1'))
      .when(published('c1', { by: 'ann', tags: ['zen'] }))
      .then(t, counts({ zen: 1 })),
  )
})

t.test('creation.removed: gone for good, hidden or not', async (t) => {
  await t.test('public', (t) =>
    given(ann, one, two)
      .when(removed('c1'), republished('c1'), one)
      .then(t, counts({ calm: 1 }), holds(tagged, { c1: { _id: 'c1', seq: 4, removed: true } })),
  )
  await t.test('hidden', (t) =>
    given(ann, one, two, unpublished('c1'))
      .when(removed('c1'))
      .then(t, counts({ calm: 1 })),
  )
})

t.test('creator.registered: the tags of waiting creations begin to count', async (t) => {
  await t.test('before', (t) => when(one, two).then(t, counts({})))
  await t.test('after', (t) =>
    given(one, two, unpublished('c2'))
      .when(ann)
      .then(t, counts({ calm: 1, logic: 1 })),
  )
})

t.test('creator.removed: the tags of all their creations stop counting', (t) =>
  given(ann, registered('bob'), one, two, published('c3', { by: 'bob', tags: ['calm'] }))
    .when(erased('ann'), registered('ann'), published('c4', { by: 'ann', tags: ['new'] }))
    .then(
      t,
      counts({ calm: 1 }),
      holds(tagged, { c1: { _id: 'c1', seq: 1, removed: true }, c4: { _id: 'c4', seq: 1, removed: true } }),
      only(tagCreators, { ann: { _id: 'ann', seq: 3, removed: true }, bob: { registered: true } }),
    ),
)

t.test('the last tag gone leaves no trace of a total', (t) =>
  given(ann, one).when(erased('ann')).then(t, only(tags, {}), only(tagTotal, {})),
)
