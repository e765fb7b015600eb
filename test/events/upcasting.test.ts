import t from 'tap'
import { catalogue, type Decoded, EVENT_NAMES, versionedType } from '../../src/events/index.js'
import {
  but,
  defined,
  edited,
  erased,
  featured,
  followed,
  handleChanged,
  liked,
  minutes,
  played,
  profileChanged,
  published,
  registered,
  removed,
  republished,
  scored,
  type Told,
  unfeatured,
  unfollowed,
  unliked,
  unpublished,
} from '../spec/events.js'
import { Script } from '../spec/script.js'
import { decode } from '../support/decode.js'

function read(told: Told): Decoded {
  const [record] = new Script().write(told)
  if (record === undefined) throw new Error('nothing was written')
  return decode(record)
}

const one: Record<string, Told> = {
  'creator.registered': registered('a'),
  'creator.profile_changed': profileChanged('a', { bio: 'x' }),
  'creator.handle_changed': handleChanged('a', 'b'),
  'creator.followed': followed('a', 'b'),
  'creator.unfollowed': unfollowed('a', 'b'),
  'creator.removed': erased('a'),
  'creation.published': published('a', { by: 'b' }),
  'creation.edited': edited('a', { slug: 'x' }),
  'creation.unpublished': unpublished('a'),
  'creation.republished': republished('a'),
  'creation.removed': removed('a'),
  'creation.featured': featured('a'),
  'creation.unfeatured': unfeatured('a'),
  'creation.liked': liked('a', 'b'),
  'creation.unliked': unliked('a', 'b'),
  'creation.played': played('a'),
  'creation.scored': scored('a', 'b', 1),
  'category.defined': defined('a'),
}

t.test('every type of the contract decodes, in its newest version', async (t) => {
  t.strictSame(Object.keys(one).sort(), EVENT_NAMES.toSorted(), 'and none is forgotten here')
  for (const name of EVENT_NAMES) {
    const told = one[name]
    if (told === undefined) return t.fail(name)
    const kind = catalogue[name].aggregate
    t.match(read(told), {
      outcome: 'event',
      event: { name, id: 'e1', kind, key: 'a', aggregate: `${kind}/a`, sequence: 1, position: 1, time: minutes(1) },
    })
    t.match(read(but(told, { type: versionedType(name, 99) })), { outcome: 'poison', name, reason: 'version 99 is unknown' })
    t.match(read(but(told, { type: `${name}.v0` })), { outcome: 'poison', name, reason: 'version 0 is unknown' })
  }
})

const v1 = { creationId: 'c1', creatorId: 'ann', slug: 's', kind: 'game', title: 'Tide clock', category: 'games' }

t.test('creation.published.v1: plain strings become English', async (t) => {
  const told: Told = { subject: 'creation/c1', type: 'creation.published.v1', data: { ...v1, description: 'High water' }, over: {} }
  const decoded = read(told)
  t.match(decoded, { outcome: 'event', event: { name: 'creation.published' } })
  if (decoded.outcome !== 'event') return
  t.strictSame(decoded.event.data, {
    creationId: 'c1',
    creatorId: 'ann',
    slug: 's',
    kind: 'game',
    title: { en: 'Tide clock' },
    description: { en: 'High water' },
    category: 'games',
    tags: [],
    coverUrl: null,
    remixOf: null,
  })
})

t.test('creation.published.v1: a missing description is empty', async (t) =>
  t.match(read({ subject: 'creation/c1', type: 'creation.published.v1', data: v1, over: {} }), {
    event: { data: { description: { en: '' } } },
  }),
)

t.test('creation.edited.v1: what is absent stays absent', async (t) => {
  const edit = (data: object) => read({ subject: 'creation/c1', type: 'creation.edited.v1', data: { creationId: 'c1', ...data }, over: {} })
  const dataOf = (decoded: Decoded) => (decoded.outcome === 'event' ? JSON.parse(JSON.stringify(decoded.event.data)) : decoded)
  t.strictSame(dataOf(edit({ title: 'New' })), { creationId: 'c1', title: { en: 'New' } })
  t.strictSame(dataOf(edit({ tags: ['x'] })), { creationId: 'c1', tags: ['x'] })
  t.strictSame(dataOf(edit({ description: '' })), { creationId: 'c1', description: { en: '' } })
})

t.test('an old version is held to its own schema, and the new one to the new', async (t) => {
  const localized = { en: 'Tide clock' }
  t.match(read({ subject: 'creation/c1', type: 'creation.published.v1', data: { ...v1, title: localized }, over: {} }), {
    outcome: 'poison',
    reason: 'data: title: expected string, received object',
  })
  t.match(read({ subject: 'creation/c1', type: 'creation.published.v2', data: { ...v1, description: localized }, over: {} }), {
    outcome: 'poison',
    reason: 'data: title: expected record, received string',
  })
  t.match(read({ subject: 'creation/c1', type: 'creation.published.v1', data: { ...v1, title: '' }, over: {} }), { outcome: 'poison' })
})

t.test('unknown fields are ignored, in the envelope and in the data', async (t) => {
  const told = liked('c1', 'bob')
  const decoded = read({ ...told, data: { ...Object(told.data), mood: 'good' } })
  t.strictSame(decoded.outcome === 'event' && decoded.event.data, { creationId: 'c1', userId: 'bob' })
  const [record] = new Script().write(told)
  if (record === undefined) return t.fail('nothing was written')
  const envelope = {
    ...JSON.parse(record.payload),
    traceparent: '00-x',
    datacontenttype: 'application/json',
    dataschema: 'https://x.example',
  }
  t.match(decode({ ...record, payload: JSON.stringify(envelope) }), { outcome: 'event' })
})

t.test('unknown types are named, also odd ones', async (t) => {
  for (const type of [
    'creation.painted.v1',
    'painted',
    'toString.v1',
    '__proto__.v1',
    'creation.liked.v1.v2',
    'creation.liked.vX',
    'v1',
    '.v1',
  ])
    t.match(read(but(liked('c1', 'bob'), { type })), { outcome: 'unknown', type, arrival: { aggregate: 'creation/c1', sequence: 1 } })
})
