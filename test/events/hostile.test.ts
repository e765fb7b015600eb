import t from 'tap'
import type { Position } from '../../src/events/index.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { DAWN } from '../spec/events.js'
import { decode } from '../support/decode.js'

const record = (payload: string, subject = 'creation/c1'): LogRecord => ({
  position: 7 as Position,
  id: 'e7',
  subject,
  payload,
  appendedAt: DAWN,
})

const envelope = {
  specversion: '1.0',
  id: 'e7',
  source: '/spec',
  type: 'creation.published.v2',
  subject: 'creation/c1',
  time: '2026-01-01T00:00:00Z',
  sequence: 1,
}

const data = {
  creationId: 'c1',
  creatorId: 'ann',
  slug: 'clock',
  kind: 'game',
  title: { en: 'Clock' },
  description: { en: 'Ticks' },
  category: 'games',
}

const withEnvelope = (change: object) => decode(record(JSON.stringify({ ...envelope, data, ...change })))
const withData = (change: object) => decode(record(JSON.stringify({ ...envelope, data: { ...data, ...change } })))

t.test('the honest event is fine, so that what follows is refused for what it says', async (t) => {
  t.match(withEnvelope({}), { outcome: 'event' })
})

t.test('payloads that are no envelope are poison of no name', async (t) => {
  const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  for (const payload of [
    '',
    ' ',
    '{',
    'null',
    '0',
    '"x"',
    '[]',
    '{}',
    'NaN',
    '\0',
    '\ufeff{}',
    nested,
    deep,
    '{"__proto__":{"specversion":"1.0"}}',
  ])
    t.match(decode(record(payload)), { outcome: 'poison', name: null }, JSON.stringify(payload.slice(0, 40)))
})

t.test('sequences', async (t) => {
  for (const sequence of [0, -1, 1.5, 2 ** 53, 1e300, '1', null, undefined, [1], true])
    t.match(withEnvelope({ sequence }), { outcome: 'poison', reason: /^envelope: sequence: / }, `${sequence}`)
  t.match(
    withEnvelope({ sequence: 2 ** 53 - 1 }),
    { outcome: 'poison', reason: /far above its position/ },
    'no aggregate has that many events',
  )
  for (const sequence of [1, 1e3, 1e9]) t.match(withEnvelope({ sequence }), { outcome: 'event', event: { sequence } }, `${sequence}`)
})

t.test('times', async (t) => {
  const bad = [
    '',
    'now',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    0,
    null,
  ]
  for (const time of bad) t.match(withEnvelope({ time }), { outcome: 'poison', reason: /^envelope: time: / }, `${time}`)
  t.match(withEnvelope({ time: '2026-01-01T01:00:00.5+01:00' }), { outcome: 'event', event: { time: DAWN + 500 } })
  t.match(withEnvelope({ time: '1970-01-01T00:00:00Z' }), { outcome: 'event', event: { time: 0 } })
  t.match(withEnvelope({ time: '2026-01-01T00:05:00.001Z' }), { outcome: 'poison', name: 'creation.published' })
})

t.test('subjects and ids', async (t) => {
  for (const subject of [
    '',
    'creation',
    'creation/',
    'creation/a b',
    'creation/a/b',
    'creation/../x',
    `creation/${'x'.repeat(65)}`,
    'CREATION/c1',
    'creation/ü',
  ])
    t.match(withEnvelope({ subject }), { outcome: 'poison', name: null }, subject)
  t.match(withEnvelope({ subject: 'creator/c1' }), { outcome: 'poison', name: 'creation.published' }, 'another than the log says')
  const filed = decode(record(JSON.stringify({ ...envelope, subject: 'creator/c1', data }), 'creator/c1'))
  t.match(filed, { outcome: 'poison', reason: /but "creation.published" is about "creation\/…"/ }, 'an aggregate of another kind')
  t.match(withData({ creationId: 'c2' }), { outcome: 'poison', reason: /speak of another creation/ })
})

t.test('texts: half surrogate pairs, NUL and other controls, too long, wrong types', async (t) => {
  for (const en of ['\ud83d', 'a\udc00b', 'a\0b', '\u0007', '\u001b[31m', '\u007f', 'x'.repeat(201), 7, null, ['x'], {}])
    t.match(withData({ title: { en } }), { outcome: 'poison', reason: /^data: title\.en: / }, JSON.stringify(en).slice(0, 30))
  for (const en of ['💥', 'line\nbreak\ttab', 'ünïcödé', '日本語', '', 'x'.repeat(200)])
    t.match(withData({ title: { en } }), { outcome: 'event' }, JSON.stringify(en).slice(0, 30))
})

t.test('locales: only language tags, at least one, not endless', async (t) => {
  for (const title of [{}, [], null, 'x', { '': 'x' }, { e: 'x' }, { en_US: 'x' }, { constructor: 'x', '../x': 'y' }])
    t.match(withData({ title }), { outcome: 'poison' }, JSON.stringify(title))
  const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`en-x${String(i).padStart(3, '0')}`, 'x']))
  t.match(withData({ title: tags(41) }), { outcome: 'poison' })
  t.match(withData({ title: tags(40) }), { outcome: 'event' })
})

t.test('a text under a tag of more than 35 characters is dropped, and the others stay', async (t) => {
  const fits = `en${'-abcdefgh'.repeat(3)}-abcde`
  t.equal(fits.length, 35)
  const tooLong = `${fits}f`
  const endless = `en${'-abcdefgh'.repeat(2000)}`
  const titleOf = (title: object) => {
    const decoded = withData({ title })
    return decoded.outcome === 'event' && decoded.event.name === 'creation.published' ? decoded.event.data.title : decoded.outcome
  }
  t.strictSame(titleOf({ [fits]: 'x' }), { [fits]: 'x' })
  t.strictSame(titleOf({ [tooLong]: 'x', en: 'Clock', [endless]: 7 }), { en: 'Clock' })
  t.strictSame(titleOf({ en: 'Clock', ['?'.repeat(36)]: 'x' }), { en: 'Clock' })
  t.equal(titleOf({ [tooLong]: 'x', [endless]: 'y' }), 'poison', 'no text remains')
})

t.test('__proto__ as a key reaches nothing', async (t) => {
  const payload = JSON.stringify({ ...envelope, data }).replace('"title":{', '"title":{"__proto__":"polluted",')
  t.match(payload, '__proto__')
  const decoded = decode(record(payload))
  t.match(decoded, { outcome: 'event', event: { name: 'creation.published' } })
  if (decoded.outcome === 'event' && decoded.event.name === 'creation.published') {
    t.strictSame(Object.keys(decoded.event.data.title), ['en'])
    t.equal(Object.getPrototypeOf(decoded.event.data.title), Object.prototype)
  }
  t.match(decode(record(payload.replace(',"en":"Clock"', ''))), { outcome: 'poison' }, 'and is no locale')
  const polluted = JSON.stringify({ ...envelope, data }).replace('"data":{', '"data":{"__proto__":{"kind":"app","admin":true},')
  const kept = decode(record(polluted))
  t.match(kept, { outcome: 'event', event: { data: { kind: 'game' } } })
  t.notOk(Object.hasOwn(Object.prototype, 'admin'))
  t.equal(kept.outcome === 'event' && 'admin' in kept.event.data, false)
})

t.test('addresses: nothing but http and https ever reaches a page', async (t) => {
  const bad = [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//img.example/x.png',
    '/x.png',
    'ftp://img.example',
    'http://',
    'https://a b',
    'https://x.example/"onload="x',
    'https://x.example/<script>',
    'https://x.example/\nx',
    'https://[bad',
    `https://x.example/${'x'.repeat(2048)}`,
    7,
    '',
  ]
  for (const coverUrl of bad)
    t.match(withData({ coverUrl }), { outcome: 'poison', reason: /^data: coverUrl: / }, String(coverUrl).slice(0, 40))
  for (const coverUrl of ['https://img.example/x.png?a=b#c', 'http://localhost:3001/x', null])
    t.match(withData({ coverUrl }), { outcome: 'event' })
})

t.test('lists and enumerations', async (t) => {
  for (const tags of [Array(13).fill('x'), ['x'.repeat(65)], ['a\0'], [7], 'x', {}, [null]])
    t.match(withData({ tags }), { outcome: 'poison' }, JSON.stringify(tags).slice(0, 30))
  t.match(withData({ tags: Array(12).fill('x'.repeat(64)) }), { outcome: 'event' })
  for (const kind of ['App', 'toString', '', null, 0]) t.match(withData({ kind }), { outcome: 'poison' }, `${kind}`)
  for (const slug of ['', '.', '..', 'a/b', 'a b', '-a', 'a-', 'ü', '%2e', 'a?b', 'a#b', 'x'.repeat(101)])
    t.match(withData({ slug }), { outcome: 'poison' }, slug.slice(0, 20))
  for (const slug of ['a', 'a.b', 'A_b~c-d', 'x'.repeat(100)]) t.match(withData({ slug }), { outcome: 'event' }, slug.slice(0, 20))
  for (const category of ['Games', 'a--b', 'a|b', '', '-a', 'ü', 'x'.repeat(65)])
    t.match(withData({ category }), { outcome: 'poison' }, category.slice(0, 20))
})

t.test('handles are DNS labels', async (t) => {
  const register = (handle: unknown) =>
    decode(
      record(
        JSON.stringify({
          ...envelope,
          type: 'creator.registered.v1',
          subject: 'creator/a',
          data: { creatorId: 'a', handle, displayName: 'A' },
        }),
        'creator/a',
      ),
    )
  for (const handle of ['', '-a', 'a-', 'a.b', 'a_b', 'ä', 'a b', 'x'.repeat(64), '@a', 7, null])
    t.match(register(handle), { outcome: 'poison' }, `${handle}`.slice(0, 20))
  for (const handle of ['a', 'A', '0', 'a-b', 'a--b', 'x'.repeat(63)]) t.match(register(handle), { outcome: 'event' }, handle.slice(0, 20))
})

t.test('numbers that count', async (t) => {
  const about = (type: string, change: object) =>
    decode(record(JSON.stringify({ ...envelope, type, data: { creationId: 'c1', userId: 'bob', ...change } })))
  for (const score of [2 ** 53, -(2 ** 53), '5', null, undefined])
    t.match(about('creation.scored.v1', { score }), { outcome: 'poison' }, `${score}`)
  for (const score of [0, -5, 1.5, 2 ** 53 - 1]) t.match(about('creation.scored.v1', { score }), { outcome: 'event' }, `${score}`)
  t.equal(
    decode(
      record(
        JSON.stringify({ ...envelope, type: 'creation.scored.v1', data: { creationId: 'c1', userId: 'bob' } }).replace(
          '"userId"',
          '"score":1e999,"userId"',
        ),
      ),
    ).outcome,
    'poison',
  )
  for (const seconds of [-1, 86_401, 'x']) t.match(about('creation.played.v1', { seconds }), { outcome: 'poison' }, `${seconds}`)
})

t.test('an error names fields and rules, never values, and stays short', async (t) => {
  const secret = 'secret@example.org'
  const cases = [
    withData({ creatorId: secret, slug: secret, kind: secret, title: { [secret]: secret }, coverUrl: secret, category: secret }),
    withData({ title: { ['k'.repeat(1_000_000)]: 'x' } }),
    withData({ tags: Array(100_000).fill(7) }),
    withData({ title: { en: 'x'.repeat(10_000_000) } }),
    withEnvelope({ time: secret, source: '', id: secret.repeat(50), subject: secret }),
  ]
  for (const decoded of cases) {
    const reason = decoded.outcome === 'poison' ? decoded.reason : t.fail('it is poison')
    t.notMatch(reason, 'secret')
    t.ok(String(reason).length < 500, `${String(reason).length} characters`)
  }
})
