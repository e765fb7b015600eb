import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import { items } from '../../readmodels/feed/documents.js'
import { deadLetters, parkedAggregates } from '../../src/engine/definition/dead-letter-collections.js'
import { but, edited, liked, minutes, poison, published, registered, type Told, unreadable } from '../spec/events.js'
import { World } from '../spec/world.js'

async function shown(t: { teardown(done: () => Promise<void>): void }): Promise<World> {
  const world = await World.open(t, feedProjection)
  await world.tell(registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' }))
  return world
}

t.test('semantics 4: an unknown type name is counted and skipped', async (t) => {
  const world = await shown(t)
  await world.tell(but(liked('c1', 'bob'), { type: 'creation.painted.v1' }), liked('c1', 'bob'))
  t.match(await world.tallies(), { unknown: 1, applied: 4 })
  t.match(await world.doc(items, 'c1'), { likes: 1 }, 'later events of the aggregate do not wait')
  t.strictSame(await world.all(parkedAggregates), [])
})

const POISON: Record<string, { told: Told; because: RegExp }> = {
  'an unknown version of a known name': { told: poison(liked('c1', 'bob')), because: /version 999 is unknown/ },
  'version zero': { told: but(liked('c1', 'bob'), { type: 'creation.liked.v0' }), because: /version 0 is unknown/ },
  'a version far above all known ones': {
    told: but(liked('c1', 'bob'), { type: 'creation.liked.v123456' }),
    because: /version 123456 is unknown/,
  },
  'a payload that is not JSON': { told: unreadable('creation/c1', '{"specversion"'), because: /not JSON/ },
  'an envelope without the fields of one': { told: unreadable('creation/c1', '{"id":"e1"}'), because: /^envelope: .*specversion/ },
  'an envelope that is a list': { told: unreadable('creation/c1', '[]'), because: /^envelope: / },
  'a payload that breaks its schema': {
    told: { ...liked('c1', 'bob'), data: { creationId: 'c1', userId: 7 } },
    because: /^data: userId: expected string, received number$/,
  },
  'a time more than five minutes after the log’s own': {
    told: but(liked('c1', 'bob'), { time: minutes(20) + 1, appendedAt: minutes(15) }),
    because: /more than five minutes/,
  },
  'a subject that is not the one the log filed it under': {
    told: but(liked('c1', 'bob'), { subject: 'creation/c2' }),
    because: /its subject is "creation\/c2" but the log filed it under "creation\/c1"/,
  },
  'data about another aggregate than its subject': {
    told: { ...liked('c1', 'bob'), data: { creationId: 'c2', userId: 'bob' } },
    because: /speak of another creation/,
  },
}

t.test('semantics 4: what cannot be read is poison, a dead letter under the log’s subject', async (t) => {
  for (const [name, { told, because }] of Object.entries(POISON))
    await t.test(name, async (t) => {
      const world = await shown(t)
      await world.tell(told, edited('c1', { title: { en: 'Clock' } }), liked('c2', 'bob'))
      t.match(await world.tallies(), { parked: 1, applied: 5 })
      t.strictSame(await world.all(parkedAggregates), [{ _id: 'creation/c1', position: 4 }])
      const [letter] = await world.all(deadLetters)
      t.match(letter, { aggregate: 'creation/c1', position: 4, eventId: 'e4' })
      t.match(letter?.error?.message, because)
      t.match(await world.doc(items, 'c1'), { likes: 0, title: { en: 'Clock' } }, 'later events of the aggregate do not wait')
      t.match(await world.doc(items, 'c2'), { likes: 1 }, 'everything else flows')
    })
})

t.test('semantics 4: a time up to five minutes after the log’s own is fine', async (t) => {
  const world = await shown(t)
  await world.tell(but(liked('c1', 'bob'), { time: minutes(20), appendedAt: minutes(15) }))
  t.match(await world.doc(items, 'c1'), { likes: 1 })
})

t.test('semantics 4: poison of a type that a projection does not handle does not concern it', async (t) => {
  const world = await World.open(t, tagsProjection)
  await world.tell(registered('ann'), published('c1', { by: 'ann' }), poison(liked('c1', 'bob')), unreadable('category/games'))
  t.match(await world.tallies(), { applied: 2, unhandled: 2 })
  t.strictSame(await world.all(parkedAggregates), [])
})
