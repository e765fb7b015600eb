/** Records that no honest publisher writes, put into a log without any check, each on its own aggregate. */
import type { NewRecord } from '../../src/ports/event-log.js'
import { ATTACKS } from '../spec/attacks.js'

/** As much as a NATS server takes, with room for headers. */
const GIANT = 'x'.repeat(900_000)
const DEEP = 100_000
const NUMBERS = [-1, 0, 1.5, 2 ** 53, -(2 ** 53), 1e300, -1e300]
const TIMES = ['9999-12-31T23:59:59Z', '+275760-09-13T00:00:00Z', '2026-02-30T00:00:00Z', '-000001-01-01T00:00:00Z', 'tomorrow', '']
/** As JSON text: half surrogate pairs, controls, and what ends a line of a header. */
const TEXTS = [
  '"\\ud800"',
  '"a\\udc00b"',
  '"\\u0000"',
  '"\\u001b[31m"',
  '"\\r\\nSet-Cookie: a=b"'.replace('\\r', '\\u000d').replace('\\n', '\\u000b'),
]
const TYPES: readonly unknown[] = [null, true, 7, 'text', [], {}, [[]], { $gt: '' }, { toString: 'x' }]

const ENVELOPE = { specversion: '1.0', source: '/elsewhere', type: 'creation.published.v2', time: '2026-01-01T00:00:00Z', sequence: 1 }

export function hostileRecords(): NewRecord[] {
  const payloads = [...envelopes(), ...texts(), ...blobs()]
  const records = payloads.map((payload, n) => {
    const id = `bad-${n}`
    return { id: `event-${id}`, subject: `creation/${id}`, payload: payload.replaceAll('ID', id) }
  })
  return [...records, ...strangers()]
}

const datum = (change: object = {}): object => ({
  creationId: 'ID',
  creatorId: 'mallory',
  slug: 'ID',
  kind: 'game',
  title: { en: 'ID' },
  description: { en: '' },
  category: 'games',
  tags: [],
  ...change,
})
const envelope = (change: object, data: unknown = datum()): string =>
  JSON.stringify({ ...ENVELOPE, id: 'event-ID', subject: 'creation/ID', data, ...change })

function* envelopes(): Generator<string> {
  for (const sequence of NUMBERS) yield envelope({ sequence })
  for (const time of TIMES) yield envelope({ time })
  for (const type of ['creation.published.v999', 'creation.published.v0', 'creation.published.v-1', 'nobody.knows.v1', '__proto__', ''])
    yield envelope({ type })
  for (const odd of TYPES) {
    for (const field of ['id', 'sequence', 'time', 'subject', 'type', 'data']) yield envelope({ [field]: odd })
    for (const field of Object.keys(datum())) yield envelope({}, datum({ [field]: odd }))
  }
  yield envelope({}, datum({ title: { en: GIANT } }))
  yield envelope({}, datum({ tags: Array(100_000).fill('t') }))
  yield envelope({}, datum({ title: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`en-x${n}`, 'x'])) }))
  yield envelope({ [GIANT]: 1 })
}

/** In every field that takes text, and in some that take something like it. */
function* texts(): Generator<string> {
  for (const text of [...TEXTS, ...ATTACKS.map((attack) => JSON.stringify(`${attack}\u0007`))]) {
    for (const field of ['slug', 'category', 'kind', 'coverUrl', 'creatorId', 'remixOf'])
      yield envelope({}, datum({ [field]: '@' })).replace('"@"', text)
    yield envelope({}, datum({ title: { en: '@' } })).replace('"@"', text)
    yield envelope({}, datum({ title: { '@': 'x' } })).replace('"@"', text)
    yield envelope({}, datum({ tags: ['@'] })).replace('"@"', text)
  }
}

function* blobs(): Generator<string> {
  yield* ['', ' ', '{', 'null', '[]', '\0', '\ufeff{}', '\ud800', '{"__proto__":{"specversion":"1.0"}}', GIANT, `"${GIANT}"`]
  yield '['.repeat(DEEP) + ']'.repeat(DEEP)
  yield envelope({}, '@').replace('"@"', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`)
}

/** What the log itself is told: ids that would end a header, and subjects that are none. */
function strangers(): NewRecord[] {
  const ids = ['a\r\nNats-Expected-Last-Sequence: 1', 'ü'.repeat(100), ' ', '"><script>', 'a\u0000b', 'x'.repeat(5000)]
  const subjects = [
    'creation/a b',
    'creation/*',
    'creation/>',
    'creation/a.b',
    'creation/\u00fc',
    'nowhere',
    '/',
    'creation/..',
    'creation/a\r\nPUB x',
  ]
  return [
    ...ids.map((id, n) => ({ id, subject: `creation/odd-${n}`, payload: '{' })),
    ...subjects.map((subject, n) => ({ id: `stranger-${n}`, subject, payload: '{' })),
  ]
}
