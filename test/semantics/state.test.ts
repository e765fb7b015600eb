import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { integrityProjection } from '../../projections/integrity/index.js'
import { profilesProjection } from '../../projections/profiles/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import { creators, items } from '../../readmodels/feed/documents.js'
import { EVERYTHING } from '../../readmodels/feed/facets.js'
import { terms } from '../../readmodels/feed/search/documents.js'
import { arrivals, integrity, SUMMARY } from '../../readmodels/integrity/documents.js'
import { profiles } from '../../readmodels/profiles/documents.js'
import { tags } from '../../readmodels/tags/documents.js'
import {
  but,
  edited,
  erased,
  followed,
  liked,
  played,
  published,
  registered,
  removed,
  republished,
  type Told,
  unliked,
  unpublished,
} from '../spec/events.js'
import { holds, lists, projecting } from '../spec/given.js'
import { World } from '../spec/world.js'

t.test('semantics 1: a reference to something not seen yet becomes a hidden stub, filled when it arrives', async (t) => {
  const { given } = projecting(feedProjection)
  await t.test('a creation before its creator, a remix before its original', (t) =>
    given(published('c2', { by: 'bob', remixOf: 'c1' })).then(
      t,
      holds(items, { c1: { seq: 0, facets: [] }, c2: { seq: 1, facets: [] } }),
      holds(creators, { bob: { seq: 0, registered: false } }),
      lists(items, 'recent', [EVERYTHING], []),
    ),
  )
  await t.test('a follow of and by an unknown', (t) =>
    projecting(profilesProjection)
      .given(followed('ann', 'bob'))
      .then(t, holds(profiles, { ann: { registered: false, followers: 1 }, bob: { seq: 0, registered: false, following: 1 } })),
  )
})

t.test('semantics 2: public = published, not unpublished, not removed, creator registered and not removed', async (t) => {
  const ann = registered('ann')
  const c1 = published('c1', { by: 'ann' })
  const cases: [string, Told[], boolean][] = [
    ['published by a registered creator', [ann, c1], true],
    ['in the other order', [c1, ann], true],
    ['never published', [ann, liked('c1', 'bob')], false],
    ['creator not registered', [c1], false],
    ['unpublished', [ann, c1, unpublished('c1')], false],
    ['republished', [ann, c1, unpublished('c1'), republished('c1')], true],
    ['removed', [ann, c1, removed('c1')], false],
    ['removed, then republished', [ann, c1, removed('c1'), republished('c1')], false],
    ['creator removed', [ann, c1, erased('ann')], false],
    ['creator removed before it was published', [ann, erased('ann'), c1], false],
    ['creator removed, then registered again', [ann, c1, erased('ann'), ann], false],
  ]
  for (const [name, told, isPublic] of cases)
    await t.test(name, (t) =>
      projecting(feedProjection)
        .given(...told)
        .then(
          t,
          ...['recent', 'trending', 'liked', 'popular', 'remixed'].map((sort) => lists(items, sort, [EVERYTHING], isPublic ? ['c1'] : [])),
          lists(items, 'ofCreator', ['ann'], isPublic ? ['c1'] : []),
          lists(items, 'byAddress', ['ann/c1-slug'], isPublic ? ['c1'] : []),
          lists(terms, 'byTerm', ['title'], isPublic ? ['c1'] : []),
        ),
    )
})

t.test('semantics 2: the state document is never deleted and keeps the last sequence applied', (t) =>
  projecting(feedProjection)
    .given(registered('ann'), published('c1', { by: 'ann' }), unpublished('c1'), liked('c1', 'bob'))
    .when(removed('c1'), liked('c1', 'cyd'))
    .then(t, holds(items, { c1: { seq: 5, removed: true } })),
)

t.test('semantics 3: a sequence in a gap came late and applies, any other repetition is skipped and counted', async (t) => {
  const world = await World.open(t, feedProjection)
  const at = (sequence: number, told: Told) => but(told, { sequence })
  await world.tell(registered('ann'), published('c1', { by: 'ann' }), at(2, liked('c1', 'bob')), at(9, played('c1')))
  t.match(await world.doc(items, 'c1'), { likes: 1, plays: 1, seq: 9, gaps: [[3, 8]] })
  await world.tell(at(9, played('c1')), at(2, liked('c1', 'bob')))
  t.match(await world.tallies(), { applied: 4, duplicate: 2 }, 'the last one and an older one')
  await world.tell(at(4, played('c1')), at(6, unliked('c1', 'bob')), at(5, liked('c1', 'bob')), at(4, played('c1')))
  t.match(await world.tallies(), { applied: 7, duplicate: 3 })
  const gaps = [
    [3, 3],
    [7, 8],
  ]
  t.match(await world.doc(items, 'c1'), { likes: 0, plays: 2, seq: 9, gaps })
})

t.test('semantics 3: a field holds what the event with the highest sequence says', async (t) => {
  const world = await World.open(t, feedProjection)
  const titled = (sequence: number, title: string) => but(edited('c1', { title: { en: title } }), { sequence })
  await world.tell(registered('ann'), titled(7, 'seven'), but(edited('c1', { tags: ['new'] }), { sequence: 5 }), titled(3, 'three'))
  await world.tell(but(published('c1', { by: 'ann', title: { en: 'four' }, tags: ['old'] }), { sequence: 4 }))
  t.match(await world.doc(items, 'c1'), { title: { en: 'seven' }, tags: ['new'], creatorId: 'ann' })
})

t.test('semantics 3: removals win whatever their sequence', async (t) => {
  const world = await World.open(t, feedProjection)
  await world.tell(registered('ann'), published('c1', { by: 'ann' }), liked('c1', 'bob'), but(removed('c1'), { sequence: 1 }))
  t.strictSame(await world.doc(items, 'c1'), { _id: 'c1', seq: 2, removed: true })
  await world.tell(but(erased('ann'), { sequence: 1 }), registered('ann'))
  t.match(await world.doc(creators, 'ann'), { removed: true })
})

t.test('semantics 3: duplicates are told apart per aggregate, not per sequence', (t) =>
  projecting(feedProjection)
    .given(registered('ann'), published('c1', { by: 'ann' }))
    .when(but(published('c2', { by: 'ann' }), { sequence: 1 }), but(edited('c2', { title: { en: 'x' } }), { sequence: 2 }))
    .then(t, holds(items, { c2: { seq: 2, title: { en: 'x' } } })),
)

t.test('semantics 3: gaps and late arrivals are found by the integrity projection', async (t) => {
  const world = await World.open(t, integrityProjection)
  const at = (sequence: number) => but(liked('c1', `u${sequence}`), { sequence, id: `like-${sequence}` })
  await world.tell(at(1), at(4))
  t.match(await world.doc(arrivals, 'creation/c1'), { last: 4, missing: [[2, 3]], gapSince: 2 })
  t.match(await world.doc(integrity, SUMMARY), { aggregates: 1, gaps: 1, late: 0, duplicates: 0 })
  await world.tell(at(3), at(2), at(2))
  t.match(await world.doc(arrivals, 'creation/c1'), { last: 4, missing: [], gapSince: null, late: 2, duplicates: 1 })
  t.match(await world.doc(integrity, SUMMARY), { aggregates: 1, gaps: 0, late: 2, duplicates: 1 })
})

t.test('semantics 3: types that a projection does not handle are not gaps for it', async (t) => {
  const world = await World.open(t, tagsProjection)
  await world.tell(registered('ann'), published('c1', { by: 'ann', tags: ['x'] }), liked('c1', 'bob'), edited('c1', { tags: ['y'] }))
  t.match(await world.tallies(), { applied: 3, unhandled: 1 })
  t.strictSame(await world.ids(tags, { index: 'popular', equals: [] }), ['y'])
})
