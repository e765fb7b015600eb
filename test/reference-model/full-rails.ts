import fc from 'fast-check'
import type { DraftEvent } from './arbitrary-events.js'
import { CATEGORIES } from './arbitrary-fields.js'
import { delivered, type Log } from './arbitrary-log.js'

/** A rail of the landing shows twelve; it must stay full when some of these are unpublished. */
const STARS = 18
/** By id, some sort before all stars in a tie, some after. */
const NEWCOMERS = ['n1', 'n2', 'z3', 'z4']

/**
 * Logs in which equally ranked creations ("stars") fill every rail of the landing, and newcomers reach one rail or none:
 * whether a change reaches the landing depends on the last place of a single rail.
 */
export const fullRailLogs = (): fc.Arbitrary<Log> =>
  delivered(
    fc.array(change, { minLength: 10, maxLength: 60, size: 'max' }).map((changes) => [...opening, ...changes]),
    opening.length,
  )

const opening: DraftEvent[] = [
  {
    type: 'creator.registered.v1',
    subject: 'creator/maker',
    data: { creatorId: 'maker', handle: 'maker', displayName: 'M' },
    hour: 0,
    gap: false,
  },
  ...CATEGORIES.map((slug, order) => ({
    type: 'category.defined.v1',
    subject: `category/${slug}`,
    data: { slug, label: { en: slug }, order },
    hour: 0,
    gap: false,
  })),
  ...Array.from({ length: STARS }, (_, i) => starAt(i)).flat(),
]

/** After so many events every rail is full of stars. */
export const RAILS_FULL_AFTER = opening.length

/** Late in time, so that early likes do not make newcomers trend. Each is a remix of the next, so all are remixed once. */
function starAt(i: number): DraftEvent[] {
  const id = `s${i}`
  return [
    published(id, 12, `s${(i + 1) % STARS}`, 'games'),
    says(id, 'featured', { spotlight: i < 3 }, 12),
    ...['a', 'b'].map((userId) => says(id, 'liked', { userId }, 12)),
    says(id, 'played', { userId: 'a', seconds: 1 }, 12),
  ]
}

const newcomer = fc.constantFrom(...NEWCOMERS)
const star = fc.nat(STARS - 1).map((i) => `s${i}`)
const fan = fc.constantFrom('a', 'b', 'c').map((userId) => ({ userId }))
const category = fc.constantFrom(...CATEGORIES)
const nothing = fc.constant({})
const about = (ids: fc.Arbitrary<string>, what: string, data: fc.Arbitrary<object>) =>
  fc.tuple(ids, data).map(([id, told]) => says(id, what, told, 0))

const change: fc.Arbitrary<DraftEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(newcomer, fc.option(fc.oneof(newcomer, star)), category)
      .map(([id, original, into]) => published(id, 0, original, into)),
  },
  { weight: 6, arbitrary: about(newcomer, 'liked', fan) },
  { weight: 4, arbitrary: about(newcomer, 'unliked', fan) },
  { weight: 2, arbitrary: about(newcomer, 'featured', fc.record({ spotlight: fc.boolean() })) },
  about(newcomer, 'unfeatured', nothing),
  about(newcomer, 'unpublished', nothing),
  about(newcomer, 'republished', nothing),
  { weight: 2, arbitrary: fc.tuple(newcomer, category).map(([id, into]) => recategorized(id, into)) },
  about(star, 'liked', fan),
  about(star, 'unliked', fan),
  about(star, 'unpublished', nothing),
  about(star, 'republished', nothing),
)

function recategorized(id: string, into: string): DraftEvent {
  return { ...says(id, 'edited', { category: into }, 0), type: 'creation.edited.v2' }
}

function published(id: string, hour: number, remixOf: string | null, into: string): DraftEvent {
  const listing = { slug: id, kind: 'game', title: { en: id }, description: { en: id }, category: into, tags: [], coverUrl: null }
  return { ...says(id, 'published', { creatorId: 'maker', remixOf, ...listing }, hour), type: 'creation.published.v2' }
}

function says(creationId: string, what: string, data: object, hour: number): DraftEvent {
  return { type: `creation.${what}.v1`, subject: `creation/${creationId}`, data: { creationId, ...data }, hour, gap: false }
}
