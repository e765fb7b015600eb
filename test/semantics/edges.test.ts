import t, { type Test } from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { profilesProjection } from '../../projections/profiles/index.js'
import { player, creation as scoredCreation, sharesProjection } from '../../projections/shares/index.js'
import { creator as tagCreator, creation as taggedCreation, tagsProjection } from '../../projections/tags/index.js'
import { creators, items, likes } from '../../readmodels/feed/documents.js'
import { creatorByHandle, itemByAddress } from '../../readmodels/feed/queries.js'
import { follows, profiles } from '../../readmodels/profiles/documents.js'
import { scores } from '../../readmodels/shares/documents.js'
import {
  edited,
  erased,
  followed,
  handleChanged,
  liked,
  played,
  published,
  registered,
  removed,
  republished,
  scored,
  unfollowed,
  unliked,
  unpublished,
} from '../spec/events.js'
import { holds, only, projecting } from '../spec/given.js'
import { World } from '../spec/world.js'

const shown = [registered('ann'), published('c1', { by: 'ann' })]

t.test('semantics 7: a like that exists, an unlike or unfollow that does not, change nothing', async (t) => {
  await t.test('likes', (t) =>
    projecting(feedProjection)
      .given(...shown, unliked('c1', 'bob'), liked('c1', 'bob'), liked('c1', 'bob'), unliked('c1', 'cyd'))
      .then(
        t,
        // An unlike that came first is kept: the like that it takes back may come late.
        only(likes, { 'c1~bob': { active: true }, 'c1~cyd': { active: false } }),
        holds(items, { c1: { likes: 1 } }),
        holds(creators, { ann: { likes: 1 } }),
      ),
  )
  await t.test('follows', (t) =>
    projecting(profilesProjection)
      .given(registered('ann'), unfollowed('ann', 'bob'), followed('ann', 'bob'), followed('ann', 'bob'), unfollowed('ann', 'cyd'))
      .then(
        t,
        only(follows, { 'ann~bob': {}, 'ann~cyd': { since: null } }),
        holds(profiles, { ann: { followers: 1 }, bob: { following: 1 } }),
      ),
  )
})

t.test('semantics 7: edges carry ids, not cards', async (t) => {
  await t.test('likes', (t) =>
    projecting(feedProjection)
      .given(...shown, liked('c1', 'bob'))
      .then(t, fields(likes, ['_id', 'creationId', 'userId', 'v', 'active', 'firstAt'])),
  )
  await t.test('follows', (t) =>
    projecting(profilesProjection)
      .given(followed('ann', 'bob'))
      .then(t, fields(follows, ['_id', 'followedId', 'followerId', 'v', 'since'])),
  )
  await t.test('scores', (t) =>
    projecting(sharesProjection)
      .given(...shown, scored('c1', 'bob', 1))
      .then(t, fields(scores, ['_id', 'creationId', 'userId', 'score', 'achievedAt', 'rank'])),
  )
})

function fields(collection: typeof likes | typeof follows | typeof scores, expected: string[]) {
  return async (t: Test, world: World) => {
    const docs = await world.all<{ _id: string }>(collection)
    t.equal(docs.length, 1)
    for (const doc of docs) t.strictSame(Object.keys(doc), expected)
  }
}

t.test('semantics 8: removal is final per id; what is left is the opaque id and the sequence', async (t) => {
  const all = [
    ...shown,
    liked('c1', 'bob'),
    scored('c1', 'bob', 1),
    removed('c1'),
    erased('bob'),
    liked('c1', 'cyd'),
    published('c1', { by: 'ann' }),
    registered('bob'),
    published('b1', { by: 'bob' }),
  ]
  const c1 = { _id: 'c1', removed: true } as const
  const bob = { _id: 'bob', removed: true } as const
  await t.test('feed', (t) =>
    projecting(feedProjection)
      .given(...all)
      .then(
        t,
        exactly(items, 'c1', { ...c1, seq: 6 }),
        exactly(creators, 'bob', { ...bob, seq: 2 }),
        exactly(items, 'b1', { _id: 'b1', seq: 1, removed: true }),
      ),
  )
  await t.test('tags', (t) =>
    projecting(tagsProjection)
      .given(...all)
      .then(t, exactly(taggedCreation.documents, 'c1', { ...c1, seq: 6 }), exactly(tagCreator.documents, 'bob', { ...bob, seq: 2 })),
  )
  await t.test('profiles', (t) =>
    projecting(profilesProjection)
      .given(...all)
      .then(t, exactly(profiles, 'bob', { ...bob, seq: 2 })),
  )
  await t.test('shares', (t) =>
    projecting(sharesProjection)
      .given(...all)
      .then(t, exactly(scoredCreation.documents, 'c1', { ...c1, seq: 6 }), exactly(player.documents, 'bob', { ...bob, seq: 1 })),
  )
})

function exactly(collection: { name: string }, id: string, expected: object) {
  return async (t: Test, world: World) => t.strictSame((await world.dump())[collection.name]?.[id], expected)
}

t.test('semantics 8: a removal raises the floor below which no cache may answer', async (t) => {
  const world = await World.open(t, feedProjection)
  const floor = async () => (await world.store.checkpoint()).floor
  await world.tell(...shown, liked('c1', 'bob'))
  t.equal(await floor(), 0)
  await world.tell(unpublished('c1'), erased('bob'), played('c1'))
  t.equal(await floor(), 5, 'the erasure, not the end of its batch')
  await world.tell(removed('c1'))
  t.equal(await floor(), 7)
  await world.restart()
  await world.tell(registered('cyd'))
  t.equal(await floor(), 7, 'and it never sinks')
})

t.test('semantics 9: a handle or slug is a claim, and the newest active claim wins', async (t) => {
  const world = await World.open(t, feedProjection)
  const holder = async (handle: string) => (await creatorByHandle(world.store, handle))?._id ?? null
  const found = async (handle: string, slug: string) => (await itemByAddress(world.store, handle, slug))?._id ?? null

  await world.tell(registered('ann', { handle: 'Studio' }), registered('bob', { handle: 'bob' }))
  for (const handle of ['studio', 'STUDIO', 'Studio']) t.equal(await holder(handle), 'ann', `${handle}: without case`)
  await world.tell(handleChanged('bob', 'sTuDiO'))
  t.equal(await holder('studio'), 'bob', 'the newest claim')
  t.equal(await holder('bob'), null, 'the old handle stops resolving')
  await world.tell(handleChanged('bob', 'bobby'))
  t.equal(await holder('studio'), 'ann', 'the older claim is the newest active one')
  await world.tell(registered('cyd', { handle: 'studio' }), erased('cyd'))
  t.equal(await holder('studio'), 'ann', 'the erased claim nothing')

  await world.tell(published('c1', { by: 'ann', slug: 'clock' }), published('c2', { by: 'ann', slug: 'clock' }))
  t.equal(await found('studio', 'clock'), 'c2', 'a reuse never fails a batch')
  await world.tell(edited('c1', { slug: 'clock' }))
  t.equal(await found('studio', 'clock'), 'c1', 'saying it again renews the claim')
  await world.tell(unpublished('c1'))
  t.equal(await found('studio', 'clock'), 'c2', 'only what is public is active')
  await world.tell(republished('c1'), unpublished('c2'))
  t.equal(await found('studio', 'clock'), 'c1')
  await world.tell(edited('c1', { slug: 'watch' }))
  t.equal(await found('studio', 'clock'), null)
  t.equal(await found('Studio', 'watch'), 'c1')
  t.equal(await found('bobby', 'watch'), null, 'an address belongs to its creator')
})

t.test('semantics 10: remixes and totals count what is public now; an original comes back', async (t) => {
  const world = await World.open(t, feedProjection)
  await world.tell(...shown, registered('bob'), published('c2', { by: 'bob', remixOf: 'c1' }), liked('c2', 'ann'), played('c2'))
  t.match(await world.doc(items, 'c1'), { remixes: 1 })
  t.match(await world.doc(creators, 'bob'), { apps: 1, likes: 1, plays: 1 })
  await world.tell(unpublished('c2'), unpublished('c1'))
  t.match(await world.doc(items, 'c1'), { remixes: 0 })
  t.match(await world.doc(items, 'c2'), { original: null, remixOf: 'c1' })
  t.match(await world.doc(creators, 'bob'), { apps: 0, likes: 0, plays: 0 })
  await world.tell(published('c1', { by: 'ann', title: { en: 'Back' } }))
  t.match(await world.doc(items, 'c2'), { original: { handle: 'ann', title: { en: 'Back' } } })
})
