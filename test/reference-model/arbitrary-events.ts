import fc from 'fast-check'
import type { EventName } from '../../src/events/index.js'
import { CREATIONS, category, handle, kind, listing, localized, PEOPLE, picture, plain, profile } from './arbitrary-fields.js'

/** An event without position and sequence: it is not in a log yet. */
export interface DraftEvent {
  /** With its version, as in an envelope. */
  type: string
  subject: string
  data: unknown
  /** Hours since the first event. */
  hour: number
  /** Skips a sequence number, as if an event had been lost. */
  gap: boolean
}

/** The ids that events are about. */
export interface Ids {
  people: readonly string[]
  creations: readonly string[]
}

export const EVERYONE: Ids = { people: PEOPLE, creations: CREATIONS }
/** So few that the same two interact again and again. */
export const A_FEW: Ids = { people: ['u1', 'u10'], creations: ['c1', 'c10'] }
export const ALONE: Ids = { people: ['u1'], creations: ['c1'] }

export interface EventArbitraries {
  anything: fc.Arbitrary<DraftEvent>
  /** Registrations and publications that come first, so that there is something to like, to remix and to remove. */
  settling: fc.Arbitrary<DraftEvent[]>
}

/** Events of every type about these ids. */
export function among({ people, creations }: Ids): EventArbitraries {
  const person = fc.constantFrom(...people)
  const creation = fc.constantFrom(...creations)
  // 'ghost' and 'lost' are named by other events and have none themselves.
  const anyone = fc.constantFrom(...people, 'ghost')
  const original = fc.constantFrom(...creations, 'lost')
  const ofCreator = about('creator', person)
  const ofCreation = about('creation', creation)

  const publication = (version: 1 | 2, text: fc.Arbitrary<unknown>) =>
    ofCreation(
      'creation.published',
      { creatorId: anyone, kind, ...listing, title: text, description: text, remixOf: fc.option(original, { freq: 2 }) },
      version,
    )

  const edit = (version: 1 | 2, text: fc.Arbitrary<unknown>) =>
    ofCreation('creation.edited', some({ ...listing, title: text, description: text }), version)

  const user = { userId: anyone }

  const settler = ofCreator('creator.registered', { handle, ...profile })
  const settled = fc.oneof(publication(2, localized), publication(1, plain))

  const settling: fc.Arbitrary<DraftEvent[]> = fc
    .tuple(fc.array(settler, { minLength: 3, maxLength: 5 }), fc.array(settled, { minLength: 4, maxLength: 9 }))
    .map((parts) => parts.flat())

  // Every type in every version. Those that make things public are more frequent than those that take them away.
  const anything: fc.Arbitrary<DraftEvent> = fc.oneof(
    { weight: 9, arbitrary: settler },
    { weight: 2, arbitrary: ofCreator('creator.profile_changed', some(profile)) },
    { weight: 2, arbitrary: ofCreator('creator.handle_changed', { handle }) },
    { weight: 5, arbitrary: ofCreator('creator.followed', { followerId: anyone }) },
    { weight: 2, arbitrary: ofCreator('creator.unfollowed', { followerId: anyone }) },
    { weight: 2, arbitrary: ofCreator('creator.removed', {}) },
    { weight: 10, arbitrary: settled },
    { weight: 6, arbitrary: edit(2, localized) },
    { weight: 1, arbitrary: edit(1, plain) },
    { weight: 2, arbitrary: ofCreation('creation.unpublished', {}) },
    { weight: 2, arbitrary: ofCreation('creation.republished', {}) },
    { weight: 1, arbitrary: ofCreation('creation.removed', { reason: fc.constant('spam') }) },
    { weight: 3, arbitrary: ofCreation('creation.featured', { spotlight: fc.boolean() }) },
    { weight: 1, arbitrary: ofCreation('creation.unfeatured', {}) },
    { weight: 7, arbitrary: ofCreation('creation.liked', user) },
    { weight: 3, arbitrary: ofCreation('creation.unliked', user) },
    { weight: 3, arbitrary: ofCreation('creation.played', { ...user, seconds: fc.constant(60) }) },
    { weight: 5, arbitrary: ofCreation('creation.scored', { ...user, score: fc.constantFrom(-1, -0, 0, 5.5) }) },
    {
      weight: 2,
      arbitrary: says(
        'category',
        'slug',
        category,
        'category.defined.v1',
        fc.record({ label: localized, order: fc.nat(2), coverUrl: picture }),
      ),
    },
    { weight: 1, arbitrary: says('creation', 'creationId', creation, 'creation.teleported.v1', fc.record({})) },
  )

  return { anything, settling }
}

type Fields = Record<string, fc.Arbitrary<unknown>>

function about(aggregate: 'creator' | 'creation', ids: fc.Arbitrary<string>) {
  return (name: EventName, fields: Fields, version: 1 | 2 = 1) =>
    says(aggregate, `${aggregate}Id`, ids, `${name}.v${version}`, fc.record(fields))
}

function says(
  aggregate: string,
  key: string,
  ids: fc.Arbitrary<string>,
  type: string,
  data: fc.Arbitrary<object>,
): fc.Arbitrary<DraftEvent> {
  // Few hours, so that times tie, and far enough apart to make a difference for trending.
  return fc
    .tuple(ids, data, fc.integer({ min: 0, max: 12 }), fc.nat(30))
    .map(([id, rest, hour, gap]) => ({ type, subject: `${aggregate}/${id}`, data: { [key]: id, ...rest }, hour, gap: gap === 30 }))
}

/** Absent fields stay as they are. */
function some(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, fc.option(value, { nil: undefined, freq: 1 })]))
}
