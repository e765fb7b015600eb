import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { creators, items } from '../../readmodels/feed/documents.js'
import { trendingKey, weightOf } from '../../readmodels/feed/trending.js'
import { edited, erased, liked, minutes, published, registered, removed, republished, type Told, unpublished } from '../spec/events.js'
import { type Expectation, holds, lists, projecting } from '../spec/given.js'

const { given, when } = projecting(feedProjection)

const people = [registered('ann'), registered('bob')]
const original = published('c1', { by: 'ann' })
const remix = published('c2', { by: 'bob', remixOf: 'c1' })
const card = { handle: 'ann', slug: 'c1-slug', title: { en: 'c1 title' } }

t.test('a remix shows its original and heats it; the original and its creator count it', (t) =>
  given(...people, original)
    .when(remix)
    .then(
      t,
      holds(items, {
        c1: { remixes: 1, derivatives: 1, heat: weightOf('remix', minutes(4)).toString(16), trending: keyOfRemixAt(4) },
        c2: { remixOf: 'c1', original: card, originalCreatorId: ['ann'], publicRemixOf: 'c1', heat: '0' },
      }),
      holds(creators, { ann: { remixes: 1 }, bob: { remixes: 0 } }),
      lists(items, 'remixesOf', ['c1'], ['c2']),
    ),
)

function keyOfRemixAt(minute: number): number {
  return trendingKey(weightOf('remix', minutes(minute)).toString(16))
}

t.test('a remix before its original: a stub that the original fills', async (t) => {
  await t.test('before', (t) =>
    given(...people)
      .when(remix)
      .then(
        t,
        holds(items, {
          c1: { seq: 0, published: false, creatorId: null, remixes: 1, derivatives: 1 },
          c2: { original: null, originalCreatorId: [] },
        }),
        lists(items, 'recent', ['||'], ['c2']),
      ),
  )
  await t.test('after', (t) =>
    given(...people, remix)
      .when(original)
      .then(
        t,
        holds(items, { c1: { remixes: 1 }, c2: { original: card, originalCreatorId: ['ann'] } }),
        holds(creators, { ann: { remixes: 1 } }),
      ),
  )
  await t.test('and with all creators unregistered until the end', (t) =>
    given(remix, original, registered('bob'))
      .when(registered('ann'))
      .then(t, holds(items, { c1: { remixes: 1 }, c2: { original: card } }), holds(creators, { ann: { remixes: 1, apps: 1 } })),
  )
})

t.test('the original goes away and comes back', async (t) => {
  const both = [...people, original, remix]
  await t.test('unpublished: no card, no link', (t) =>
    given(...both)
      .when(unpublished('c1'))
      .then(t, shows(null)),
  )
  await t.test('republished: the card is back', (t) =>
    given(...both, unpublished('c1'))
      .when(republished('c1'))
      .then(t, shows(card)),
  )
  await t.test('published again, with another title', (t) =>
    given(...both, unpublished('c1'))
      .when(published('c1', { by: 'ann', title: { en: 'New' } }))
      .then(t, shows({ ...card, title: { en: 'New' } })),
  )
  await t.test('removed: for good', (t) =>
    given(...both)
      .when(removed('c1'), republished('c1'))
      .then(t, shows(null), holds(items, { c2: { originalCreatorId: [] } })),
  )
  await t.test('its creator erased: for good', (t) =>
    given(...both)
      .when(erased('ann'), registered('ann'))
      .then(t, shows(null), holds(items, { c2: { originalCreatorId: [] } }), lists(items, 'recent', ['||'], ['c2'])),
  )
  await t.test('removed before the remix came', (t) =>
    given(...people, original, removed('c1'))
      .when(remix)
      .then(t, shows(null), holds(items, { c1: { removed: true, seq: 2 } })),
  )
})

function shows(expected: typeof card | null): Expectation {
  return holds(items, { c2: { original: expected } })
}

t.test('edits of the original reach the card of its remixes, hidden ones too', (t) =>
  given(...people, original, remix, unpublished('c2'), edited('c1', { title: { en: 'Renamed' }, slug: 'moved' }))
    .when(republished('c2'))
    .then(t, shows({ handle: 'ann', slug: 'moved', title: { en: 'Renamed' } })),
)

t.test('an edit of title or slug alone reaches the card', async (t) => {
  const both = [...people, original, remix]
  await t.test('slug', (t) =>
    given(...both)
      .when(edited('c1', { slug: 'moved' }))
      .then(t, shows({ ...card, slug: 'moved' })),
  )
  await t.test('title', (t) =>
    given(...both)
      .when(edited('c1', { title: { en: 'Renamed' } }))
      .then(t, shows({ ...card, title: { en: 'Renamed' } })),
  )
})

t.test('stats.remixes counts what is public now', async (t) => {
  const both = [...people, original, remix]
  const counts = (remixes: number): Expectation[] => [holds(items, { c1: { remixes } }), holds(creators, { ann: { remixes } })]
  const cases: [string, Told[], number][] = [
    ['the remix is hidden', [unpublished('c2')], 0],
    ['and shown again', [unpublished('c2'), republished('c2')], 1],
    ['the remix is removed', [removed('c2')], 0],
    ['the remix is removed while hidden', [unpublished('c2'), removed('c2')], 0],
    ["the remix's creator is erased", [erased('bob')], 0],
    ['a second remix', [published('c3', { by: 'bob', remixOf: 'c1' })], 2],
    ['a remix by an unregistered creator', [published('c3', { by: 'cyd', remixOf: 'c1' })], 1],
  ]
  for (const [name, events, remixes] of cases)
    await t.test(name, (t) =>
      given(...both)
        .when(...events)
        .then(t, ...counts(remixes)),
    )
})

t.test('a removed remix takes its heat back, a hidden one does not, and neither changes the heat of others', async (t) => {
  const both = [...people, original, remix]
  await t.test('hidden', (t) =>
    given(...both)
      .when(unpublished('c2'))
      .then(t, holds(items, { c1: { heat: weightOf('remix', minutes(4)).toString(16) } })),
  )
  await t.test('removed', (t) =>
    given(...both, liked('c1', 'cyd'))
      .when(removed('c2'))
      .then(t, holds(items, { c1: { heat: weightOf('like', minutes(5)).toString(16), derivatives: 0 } })),
  )
})

t.test("hiding the original hides its remixes from its creator's totals, not from the count", (t) =>
  given(...people, original, remix)
    .when(unpublished('c1'))
    .then(t, holds(items, { c1: { remixes: 1 } }), holds(creators, { ann: { remixes: 0, apps: 0 } })),
)

t.test('a remix of itself is no remix', (t) =>
  when(registered('ann'), published('c1', { by: 'ann', remixOf: 'c1' })).then(
    t,
    holds(items, { c1: { remixOf: null, original: null, remixes: 0, derivatives: 0, heat: '0' } }),
  ),
)

t.test('a remix of ones own creation, and both erased', (t) =>
  given(registered('ann'), original, published('c2', { by: 'ann', remixOf: 'c1' }))
    .when(erased('ann'))
    .then(t, holds(items, { c1: { _id: 'c1', seq: 1, removed: true }, c2: { _id: 'c2', seq: 1, removed: true } })),
)

t.test('a chain of remixes: each shows only the one before it', (t) =>
  given(...people, original, remix, published('c3', { by: 'ann', remixOf: 'c2' }))
    .when(unpublished('c2'))
    .then(t, holds(items, { c1: { remixes: 0 }, c2: { original: card, remixes: 1 }, c3: { original: null } })),
)

t.test('whose words an item shows: the fields of an earlier release are among them, as both may read the same documents', async (t) => {
  t.strictSame(items.shows, [
    ...['_id', 'creatorId', 'people'],
    ...[
      { id: 'remixOf', words: 'original' },
      { id: 'originalCreatorId', words: 'original' },
    ],
  ])
})
