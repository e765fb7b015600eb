import type { Test } from 'tap'
import { bothReads, type DocumentStoreSubject, type Oddity, oddities, openLibrary, put } from '../library-model.js'

/** In the order of their code points, which is that of their UTF-8 bytes and not that of JavaScript's `<`. */
const STRINGS = [
  '',
  ' ',
  '$where',
  "' OR 1=1 --",
  '0',
  '10',
  '9',
  'A',
  'Z',
  '\\',
  '__proto__',
  'a',
  'a b',
  'ab',
  'e\u0301',
  'z',
  '~',
  'ß',
  'é',
  'ж',
  '日本',
  '\ufeffbom',
  '\ufffd',
  '😀',
  '😀a',
  '\u{10FFFF}',
]

const NUMBERS = [
  -1.7976931348623157e308,
  -1e21,
  -(2 ** 53),
  -2,
  -1.5,
  -5e-324,
  0,
  5e-324,
  0.3,
  0.1 + 0.2,
  1 / 3,
  1,
  1.5,
  9,
  10,
  1e15 + 0.3,
  2 ** 53 - 1,
  2 ** 60,
  2 ** 63,
  1e21,
  1.7976931348623157e308,
]

export async function values(t: Test, subject: DocumentStoreSubject): Promise<void> {
  const shuffled = <T>(list: readonly T[]) => list.toSorted((a, b) => hash(String(a)) - hash(String(b)))

  await t.test('strings are ordered by code point, and every one is found again', async (t) => {
    const library = await openLibrary(t, subject, put(oddities, ...shuffled(STRINGS).map((value) => ({ _id: `string ${value}`, value }))))
    await bothReads(t, library, async (t, reads) => {
      const all = await reads.range(oddities, { index: 'value', equals: [], limit: 100 })
      t.strictSame(
        all.map(({ value }) => value),
        STRINGS,
      )
      t.strictSame(
        (await reads.range(oddities, { index: 'falling', equals: [], limit: 100 })).map(({ value }) => value),
        STRINGS.toReversed(),
      )
      for (const value of STRINGS) {
        const id = `string ${value}`
        t.strictSame(await reads.ids(oddities, { index: 'value', equals: [value], limit: 9 }), [id])
        t.strictSame(await reads.get(oddities, [id]), [{ _id: id, value }])
        t.strictSame(
          (await reads.range(oddities, { index: 'value', equals: [], startsWith: value, limit: 100 })).map((doc) => doc.value),
          STRINGS.filter((other) => other.startsWith(value)),
          `those that begin with ${JSON.stringify(value)}`,
        )
        t.equal(
          (await reads.range(oddities, { index: 'value', equals: [], after: [value, id], limit: 1 }))[0]?.value,
          STRINGS[STRINGS.indexOf(value) + 1],
        )
      }
    })
  })

  await t.test('ids are ordered by code point too', async (t) => {
    const ids = STRINGS.filter((id) => id !== '')
    const library = await openLibrary(t, subject, put(oddities, ...shuffled(ids).map((_id) => ({ _id, value: 1 }))))
    await bothReads(t, library, async (t, reads) => {
      t.strictSame(await reads.ids(oddities, { index: '_id', equals: [], limit: 100 }), ids)
      t.strictSame(await reads.ids(oddities, { index: 'value', equals: [1], limit: 100 }), ids)
      t.strictSame(
        (await reads.get(oddities, ids)).map((doc) => doc?._id),
        ids,
      )
    })
  })

  await t.test('numbers are ordered by value, and every one is found again', async (t) => {
    const library = await openLibrary(t, subject, put(oddities, ...shuffled(NUMBERS).map((value) => ({ _id: `number ${value}`, value }))))
    await bothReads(t, library, async (t, reads) => {
      const all = await reads.range(oddities, { index: 'value', equals: [], limit: 100 })
      t.strictSame(
        all.map(({ value }) => value),
        NUMBERS,
      )
      for (const value of NUMBERS) {
        const id = `number ${value}`
        t.strictSame(await reads.ids(oddities, { index: 'value', equals: [value], limit: 9 }), [id])
        t.equal(
          (await reads.range(oddities, { index: 'value', equals: [], after: [value, id], limit: 1 }))[0]?.value,
          NUMBERS[NUMBERS.indexOf(value) + 1],
        )
      }
    })
  })

  await t.test('only strings and numbers are indexed', async (t) => {
    const library = await openLibrary(t, subject, put(oddities, ...ODD_DOCUMENTS))
    await bothReads(t, library, async (t, reads) => {
      t.strictSame(await reads.ids(oddities, { index: 'value', equals: [], limit: 100 }), ['plain'])
      for (const element of ['text', 2])
        t.strictSame(await reads.ids(oddities, { index: 'element', equals: [element], limit: 100 }), ['mixed'])
      for (const element of ['nested', 1, '', 'true'])
        t.strictSame(await reads.ids(oddities, { index: 'element', equals: [element], limit: 100 }), [])
    })
  })

  await t.test('the number 1 and the string "1" are different', async (t) => {
    const library = await openLibrary(t, subject, put(oddities, { _id: 'number', value: 1 }, { _id: 'string', value: '1' }))
    await bothReads(t, library, async (t, reads) => {
      t.strictSame(await reads.ids(oddities, { index: 'value', equals: [1], limit: 9 }), ['number'])
      t.strictSame(await reads.ids(oddities, { index: 'value', equals: ['1'], limit: 9 }), ['string'])
      t.strictSame(await reads.ids(oddities, { index: 'value', equals: [], startsWith: '', limit: 9 }), ['string'])
    })
  })

  await t.test('a document comes back as it was, with any keys and strings', async (t) => {
    const hostile: Oddity = {
      _id: `"quoted" 'id' 😀 $where`,
      value: JSON.parse(
        '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"$where":"1","$set":{"a":1},"a.b":{".":0},"":"","\'; DROP TABLE oddities; --":1}',
      ),
      list: [[], {}, [[null]], 'line\nbreak\ttab \\ \u2028', 'x'.repeat(200_000), 0.1, -0.000001, true, ''],
    }
    const library = await openLibrary(t, subject, put(oddities, hostile))
    await bothReads(t, library, async (t, reads) => {
      const [found] = await reads.get(oddities, [hostile._id])
      // Compared as text: deep equality looks through an own "__proto__".
      t.equal(JSON.stringify(found), JSON.stringify(hostile))
      t.equal(JSON.stringify(await reads.range(oddities, { index: '_id', equals: [], limit: 9 })), JSON.stringify([hostile]))
    })
    t.notOk('polluted' in {})
  })
}

/** One that belongs in the index on `value`, and one of everything that does not. */
export const ODD_DOCUMENTS: readonly Oddity[] = [
  { _id: 'plain', value: 'text' },
  { _id: 'nothing' },
  { _id: 'null', value: null, list: null },
  { _id: 'true', value: true, list: true },
  { _id: 'false', value: false, list: false },
  { _id: 'object', value: { inner: 'deep' }, list: { inner: 'deep' } },
  { _id: 'empty', list: [] },
  { _id: 'mixed', list: [null, true, { inner: 1 }, ['nested'], 'text', 2, 'text', 2] },
]

/** Shuffles the same way on every run. */
function hash(text: string): number {
  let sum = 7
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1009
  return sum
}
