/** The generated logs reach the edge cases that the rules are about; otherwise the other properties prove little. */
import fc from 'fast-check'
import t from 'tap'
import { EVENT_NAMES, REMOVAL_EVENTS, type VitrineEvent } from '../../src/events/index.js'
import { HANDLES, SLUGS } from '../reference-model/arbitrary-fields.js'
import { type Log, logs, withPoison } from '../reference-model/arbitrary-log.js'
import { busyLogs } from '../reference-model/busy-logs.js'
import { Community } from '../reference-model/community.js'
import { PublicView } from '../reference-model/public-view.js'
import { RecordedFacts } from '../reference-model/recorded-facts.js'
import { eventsOf } from '../support/models.js'

const sample = fc.sample(logs(), { numRuns: 400, seed: 11 })
const stories = sample.map(({ records }) => eventsOf(records))

t.test('every event type, and the old versions', async (t) => {
  const seen = new Set(stories.flat().map(({ name }) => name))
  t.strictSame([...seen].sort(), EVENT_NAMES.toSorted())
  for (const type of ['creation.published.v1', 'creation.edited.v1', 'creation.teleported.v1'])
    t.ok(share(({ records }) => mentions(records, type)) > 0.1, type)
})

t.test('upstream delivers in any order', async (t) => {
  const disorders: [name: string, atLeast: number, found: (events: VitrineEvent[]) => boolean][] = [
    ['every aggregate in order', 0.2, (events) => !events.some((event) => isLate(event, events))],
    ['several late events', 0.4, (events) => events.filter((event) => isLate(event, events)).length > 5],
    ['a removal before other events of its aggregate', 0.1, (events) => events.some((event, i) => isRemoval(event) && hasLater(events, i))],
    ['a removal with a sequence below another', 0.1, (events) => events.some((event) => isRemoval(event) && isLate(event, events))],
    ['a publication after an edit of a higher sequence', 0.2, (events) => hasPair(events, 'creation.edited', 'creation.published')],
    ['an unlike before a like of a lower sequence', 0.05, (events) => hasPair(events, 'creation.unliked', 'creation.liked')],
    ['an event several times', 0.3, (events) => hasTies(events.map(({ id }) => id))],
  ]
  for (const [name, atLeast, found] of disorders) {
    const part = stories.filter(found).length / stories.length
    t.ok(part >= atLeast, `${name}: in ${Math.round(part * 100)} % of the logs`)
  }
})

t.test('poison of every kind parks something', async (t) => {
  const poisoned = fc.sample(logs().chain(withPoison), { numRuns: 100, seed: 11 })
  const unread = poisoned.map(({ records }) => records.filter(({ id }) => id.startsWith('bad')))
  t.ok(unread.every((bad) => bad.length > 0))
  t.ok(
    poisoned.every(({ records }) => eventsOf(records).every(({ id }) => id !== 'bad')),
    'and it cannot be decoded',
  )
  t.equal(new Set(unread.flat().map(({ id }) => id.split('+')[0])).size, 6)
})

t.test('the corners', async (t) => {
  const corners: [name: string, atLeast: number, found: (now: PublicView, community: Community) => boolean][] = [
    ['something public', 0.4, (now) => now.everythingPublic().length > 0],
    ['several things public', 0.15, (now) => now.everythingPublic().length > 2],
    ['a remix that shows its original', 0.1, (now) => now.everythingPublic().some((made) => now.original(made) !== undefined)],
    [
      'a remix whose original is hidden',
      0.2,
      (now) => now.everythingPublic().some((made) => made.remixOf !== null && now.original(made) === undefined),
    ],
    [
      'a creation of an erased creator',
      0.2,
      (now) => [...now.facts.creations.values()].some((made) => made.creatorId !== null && now.isErased(made.creatorId)),
    ],
    [
      'a like of an erased user',
      0.2,
      (now) => [...now.facts.creations.values()].some((made) => [...made.likes.keys()].some((user) => now.isErased(user))),
    ],
    [
      'a creation whose creator never came',
      0.3,
      (now) =>
        [...now.facts.creations.values()].some((made) => made.creatorId !== null && !now.facts.people.get(made.creatorId)?.registered),
    ],
    ['two who claim the same handle', 0.2, (now) => hasTies(now.members().map(({ handle }) => handle.toLowerCase()))],
    [
      'two creations that claim the same slug',
      0.05,
      (now) => hasTies(now.everythingPublic().map(({ creatorId, slug }) => `${creatorId}/${slug}`)),
    ],
    [
      'an unknown follower',
      0.1,
      (_, community) => HANDLES.some((handle) => community.followers(handle)?.items.some((item) => item.handle === null)),
    ],
    [
      'a share page with a leaderboard',
      0.1,
      (_, community) => HANDLES.some((handle) => SLUGS.some((slug) => (community.share(handle, slug)?.leaderboard.length ?? 0) > 0)),
    ],
    ['a spotlight', 0.05, (_, community) => community.landing().spotlight.length > 0],
    ['something found by text', 0.1, (_, community) => community.feed({ q: 'red apple' }).total > 0],
  ]
  const told = stories.map((events) => [new PublicView(new RecordedFacts(events)), new Community(events)] as const)
  for (const [name, atLeast, found] of corners) {
    const part = told.filter(([now, community]) => found(now, community)).length / told.length
    t.ok(part >= atLeast, `${name}: in ${Math.round(part * 100)} % of the logs`)
  }
})

t.test('busy logs fill the rails and the spotlight', async (t) => {
  const landings = fc.sample(busyLogs(), { numRuns: 50, seed: 11 }).map(({ records }) => new Community(eventsOf(records)).landing())
  t.ok(landings.filter(({ rails }) => rails.every(({ key, items }) => items.length === 12 || key === 'featured')).length > 35)
  t.ok(landings.filter(({ spotlight }) => spotlight.length === 6).length > 10)
})

const isRemoval = ({ name }: VitrineEvent): boolean => REMOVAL_EVENTS.has(name)

/** An event of its aggregate with a higher sequence stands before it. */
function isLate(event: VitrineEvent, events: readonly VitrineEvent[]): boolean {
  return events.some((other) => isSame(event, other) && other.position < event.position && other.sequence > event.sequence)
}

const isSame = (one: VitrineEvent, other: VitrineEvent): boolean => one.aggregate === other.aggregate && one.id !== other.id

function hasLater(events: readonly VitrineEvent[], at: number): boolean {
  const event = events[at]
  return event !== undefined && events.slice(at + 1).some((other) => isSame(event, other))
}

function hasPair(events: readonly VitrineEvent[], first: VitrineEvent['name'], then: VitrineEvent['name']): boolean {
  const firsts = events.filter(({ name }) => name === first)
  return events.some((late) => late.name === then && firsts.some((event) => isSame(late, event) && isLate(late, [event])))
}

function share(has: (log: Log) => boolean): number {
  return sample.filter(has).length / sample.length
}

function mentions(records: Log['records'], type: string): boolean {
  return records.some(({ payload }) => payload.includes(`"${type}"`))
}

function hasTies(names: readonly string[]): boolean {
  return new Set(names).size < names.length
}
