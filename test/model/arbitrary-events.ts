import fc from 'fast-check'
import type { EventName } from '../../src/events/index.js'

/** What somebody upstream says: an event that has no place in a log yet. */
export interface Said {
  /** With its version, as in an envelope. */
  type: string
  subject: string
  data: unknown
  /** Hours since the beginning of the story. */
  hour: number
  /** Its sequence leaves out one that never arrives. */
  gap: boolean
}

/** Few ids, so that things collide; some begin with others, so that a careless prefix is found out. */
export const PEOPLE = ['u1', 'u10', 'u2', 'U_3', 'u-4']
export const CREATIONS = ['c1', 'c10', 'c2', 'C_3', 'c-4', 'c5']
export const HANDLES = ['ann', 'Ann', 'bob', 'cleo-1']
export const SLUGS = ['one', 'One', 'two', 'two.1']
export const CATEGORIES = ['games', 'home-life']
export const TAGS = ['Fun', '#fun', 'habit tracking', 'Habit_Tracking', 'a|b', 'Äpfel', '日本', ' # ']
export const LOCALES = ['en', 'en-GB', 'es', 'de-AT', 'ja']
const TEXTS = ['Red Apples', 'red apple pie', 'Apple berries', 'Café noir', 'りんごのゲーム', 'Bus timetable', 'noir']

/** Named by others, and never heard of themselves. */
const GHOST = 'ghost'
const LOST = 'lost'

const person = fc.constantFrom(...PEOPLE)
const somebody = fc.constantFrom(...PEOPLE, GHOST)
const creation = fc.constantFrom(...CREATIONS)
const original = fc.constantFrom(...CREATIONS, LOST)
const handle = fc.constantFrom(...HANDLES)
const slug = fc.constantFrom(...SLUGS)
const category = fc.constantFrom(...CATEGORIES)
const tags = fc.array(fc.constantFrom(...TAGS), { maxLength: 3 })
const plain = fc.constantFrom(...TEXTS)
const picture = fc.option(fc.constantFrom('https://img.example/1.png', 'https://img.example/2.png'))
const kind = fc.constantFrom('app', 'game', 'tracker', 'widget', 'experience')

const localized = fc.dictionary(fc.constantFrom(...LOCALES), plain, { minKeys: 1, maxKeys: 3 })

const profile = {
  displayName: fc.constantFrom('Ann', 'Bob', 'Cleo'),
  bio: fc.constantFrom('', 'hello'),
  avatarUrl: picture,
  links: fc.array(fc.record({ label: fc.constant('me'), url: fc.constant('https://me.example/') }), { maxLength: 1 }),
}

const listing = { slug, category, tags, coverUrl: picture }

type Fields = Record<string, fc.Arbitrary<unknown>>

const about =
  (aggregate: 'creator' | 'creation', ids: fc.Arbitrary<string>) =>
  (name: EventName, fields: Fields, version: 1 | 2 = 1) =>
    says(aggregate, `${aggregate}Id`, ids, `${name}.v${version}`, fc.record(fields))

const ofCreator = about('creator', person)
const ofCreation = about('creation', creation)

function says(aggregate: string, key: string, ids: fc.Arbitrary<string>, type: string, data: fc.Arbitrary<object>): fc.Arbitrary<Said> {
  // Few hours, so that moments tie; far enough apart for trending to tell them from each other.
  return fc
    .tuple(ids, data, fc.integer({ min: 0, max: 12 }), fc.nat(30))
    .map(([id, rest, hour, gap]) => ({ type, subject: `${aggregate}/${id}`, data: { [key]: id, ...rest }, hour, gap: gap === 30 }))
}

/** Absent fields stay as they are. */
const some = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, maybe(value)]))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const publication = (version: 1 | 2, text: fc.Arbitrary<unknown>) =>
  ofCreation(
    'creation.published',
    { creatorId: somebody, kind, ...listing, title: text, description: text, remixOf: fc.option(original) },
    version,
  )

const edit = (version: 1 | 2, text: fc.Arbitrary<unknown>) =>
  ofCreation('creation.edited', some({ ...listing, title: text, description: text }), version)

const user = { userId: somebody }

/** Somebody who is there from the beginning, and something they made. */
const settler = ofCreator('creator.registered', { handle, ...profile })
const settled = fc.oneof(publication(2, localized), publication(1, plain))

/** So that there is something to like, to remix and to take away: at best four people with six creations. */
export const settling: fc.Arbitrary<Said[]> = fc
  .tuple(fc.array(settler, { minLength: 3, maxLength: 5 }), fc.array(settled, { minLength: 4, maxLength: 9 }))
  .map(([people, creations]) => [...people, ...creations])

/** Every type in every version, the ones that make things public more often than the ones that take them away. */
export const anything: fc.Arbitrary<Said> = fc.oneof(
  { weight: 9, arbitrary: settler },
  { weight: 2, arbitrary: ofCreator('creator.profile_changed', some(profile)) },
  { weight: 2, arbitrary: ofCreator('creator.handle_changed', { handle }) },
  { weight: 5, arbitrary: ofCreator('creator.followed', { followerId: somebody }) },
  { weight: 2, arbitrary: ofCreator('creator.unfollowed', { followerId: somebody }) },
  { weight: 2, arbitrary: ofCreator('creator.removed', {}) },
  { weight: 10, arbitrary: settled },
  { weight: 4, arbitrary: edit(2, localized) },
  { weight: 1, arbitrary: edit(1, plain) },
  { weight: 2, arbitrary: ofCreation('creation.unpublished', {}) },
  { weight: 2, arbitrary: ofCreation('creation.republished', {}) },
  { weight: 1, arbitrary: ofCreation('creation.removed', { reason: fc.constant('spam') }) },
  { weight: 3, arbitrary: ofCreation('creation.featured', { spotlight: fc.boolean() }) },
  { weight: 1, arbitrary: ofCreation('creation.unfeatured', {}) },
  { weight: 7, arbitrary: ofCreation('creation.liked', user) },
  { weight: 3, arbitrary: ofCreation('creation.unliked', user) },
  { weight: 3, arbitrary: ofCreation('creation.played', { ...user, seconds: fc.constant(60) }) },
  { weight: 4, arbitrary: ofCreation('creation.scored', { ...user, score: fc.constantFrom(-1, -0, 0, 5, 5.5, 100) }) },
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
