import { createHash } from 'node:crypto'
import t from 'tap'
import { type CursorQuery, decodeCursor, encodeCursor } from '../../readmodels/feed/public-reads.js'
import { ServiceError } from '../../src/contract/errors.js'

const QUERY: CursorQuery = { sort: 'trending', category: 'games', tag: 'sea', q: 'maze', featuredOnly: false }
const KEY = { value: 1234.5, id: 'c_81' }

const refusal = (cursor: string, query: CursorQuery = QUERY): ServiceError | null => {
  try {
    decodeCursor(cursor, query)
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

const DAMAGED = { status: 422, error: 'validation_failed', message: /damaged/, options: { details: [{ path: 'cursor' }] } }

await t.test('a cursor decodes to the key it was made from', async (t) => {
  for (const key of [
    KEY,
    { value: 0, id: 'a' },
    { value: -3, id: '_-' },
    { value: Number.MAX_SAFE_INTEGER, id: 'x'.repeat(64) },
    { value: 2 ** -40, id: 'c' },
  ]) {
    t.strictSame(decodeCursor(encodeCursor(key, QUERY), QUERY), key, `${key.value} ${key.id}`)
  }
  t.match(encodeCursor(KEY, QUERY), /^[A-Za-z0-9_-]+$/, 'and needs no escaping in a URL')
})

await t.test('a cursor damaged in any of its characters is refused', async (t) => {
  const cursor = encodeCursor(KEY, QUERY)
  const others = ['A', '_', '=', '+', ' ', '\u0000', 'é']
  const passed = [...cursor].flatMap((character, i) =>
    others
      .filter((other) => other !== character && refusal(cursor.slice(0, i) + other + cursor.slice(i + 1)) === null)
      .map((other) => `${i}${other}`),
  )
  t.strictSame(passed, [], 'a character replaced')
  const shortened = [...cursor].flatMap((_, i) => (refusal(cursor.slice(0, i)) === null ? [i] : []))
  t.strictSame(shortened, [], 'cut off')
  const dropped = [...cursor].flatMap((_, i) => (refusal(cursor.slice(0, i) + cursor.slice(i + 1)) === null ? [i] : []))
  t.strictSame(dropped, [], 'a character left out')
  for (const addition of ['=', '==', 'A', ' ', '\n', '%3D'])
    t.match(refusal(cursor + addition), DAMAGED, `followed by ${JSON.stringify(addition)}`)
  t.match(refusal(` ${cursor}`), DAMAGED, 'after a blank')
})

await t.test('what never was a cursor is refused', async (t) => {
  for (const nonsense of ['', 'x', '!!!', 'null', '[]', '💥', 'A'.repeat(1000), 'Zm9v', '\ud800', '../../etc/passwd']) {
    t.match(refusal(nonsense), DAMAGED, JSON.stringify(nonsense.slice(0, 20)))
  }
})

await t.test('a cursor belongs to its query', async (t) => {
  const cursor = encodeCursor(KEY, QUERY)
  const others: Partial<CursorQuery>[] = [
    { sort: 'recent' },
    { category: 'tools' },
    { category: null },
    { tag: null },
    { q: null },
    { q: 'Maze' },
    { featuredOnly: true },
  ]
  for (const other of others) {
    t.match(refusal(cursor, { ...QUERY, ...other }), { status: 422, message: /another query/ }, JSON.stringify(other))
  }
  const moved = { ...QUERY, category: 'sea', tag: 'games' }
  t.match(refusal(cursor, moved), { message: /another query/ }, 'the same values in other places')
})

/** The checksum is no secret: a reader of the source can make valid cursors. */
const forge = (body: string): string => {
  const checksum = createHash('sha256').update(`vitrine cursor ${body}`).digest('hex').slice(0, 12)
  return Buffer.from(body + checksum).toString('base64url')
}

await t.test('a forged cursor with the right checksum is a damaged one, not an accident of ours', async (t) => {
  const [, , , fingerprint] = JSON.parse(Buffer.from(encodeCursor(KEY, QUERY), 'base64url').toString().slice(0, -12))
  t.strictSame(decodeCursor(forge(JSON.stringify([1, 7, 'c', fingerprint])), QUERY), { value: 7, id: 'c' }, 'this is how they are made')
  const bodies = [
    JSON.stringify([2, 7, 'c', fingerprint]),
    JSON.stringify([1, '7', 'c', fingerprint]),
    JSON.stringify([1, null, 'c', fingerprint]),
    JSON.stringify([1, 7, { $gt: '' }, fingerprint]),
    JSON.stringify([1, 7, 'c']),
    JSON.stringify([1, 7, 'c', fingerprint, 'more']),
    JSON.stringify({ version: 1 }),
    '',
    'null',
    '{',
    '[1,7,"c"',
    `[1,1e999,"c","${fingerprint}"]`,
  ]
  for (const body of bodies) t.match(refusal(forge(body)), DAMAGED, body.slice(0, 40) || 'nothing at all')
})
