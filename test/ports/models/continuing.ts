import type { Test } from 'tap'
import type { IndexQuery, IndexValue, Reads } from '../../../src/ports/document-store.js'
import { type Book, book, books, bothReads, type DocumentStoreSubject, openLibrary, put, reading, remove, save } from '../library-model.js'

/** Behind which entry to go on: the values of the fields that the query leaves open, then the id. */
interface Walk extends IndexQuery {
  keyOf: (book: Book) => IndexValue[]
}

const WALKS: Walk[] = [
  { index: 'loans', equals: [], keyOf: ({ loans, _id }) => [loans, _id] },
  { index: 'loans', equals: [1], keyOf: ({ _id }) => [_id] },
  { index: 'price', equals: [], keyOf: ({ price, _id }) => [price, _id] },
  { index: 'shelfLoans', equals: ['fiction'], keyOf: ({ loans, _id }) => [loans, _id] },
  { index: 'shelfLoans', equals: ['fiction', 2], keyOf: ({ _id }) => [_id] },
  { index: 'shelfLoans', equals: [], keyOf: ({ shelf, loans, _id }) => [shelf ?? '', loans, _id] },
  { index: 'shelfTitle', equals: ['maps'], startsWith: 'T', keyOf: ({ title, _id }) => [title, _id] },
  { index: 'tagLoans', equals: ['odd'], keyOf: ({ loans, _id }) => [loans, _id] },
  { index: 'tag', equals: ['all'], keyOf: ({ _id }) => [_id] },
  { index: '_id', equals: [], keyOf: ({ _id }) => [_id] },
  { index: '_id', equals: [], startsWith: 'b1', keyOf: ({ _id }) => [_id] },
]

export async function continuing(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test('page after page shows every entry exactly once, in order, however many are equal', async (t) => {
    const library = await openLibrary(t, subject, put(books, ...Array.from({ length: 96 }, (_, i) => manyTies(i))))
    await bothReads(t, library, async (t, reads) => {
      for (const { keyOf, ...query } of WALKS) {
        const whole = await reads.range(books, { ...query, limit: 10_000 })
        t.ok(whole.length > 8, `${JSON.stringify(query)} has ${whole.length} entries`)
        t.equal(new Set(whole.map(({ _id }) => _id)).size, whole.length)
        for (const limit of [1, 7, 80]) t.strictSame(await walk(reads, query, keyOf, limit), whole, `in pages of ${limit}`)
        t.strictSame(
          await reads.ids(books, { ...query, limit: 5, after: keyOf(whole[3] ?? manyTies(0)) }),
          whole.slice(4, 9).map(({ _id }) => _id),
        )
      }
    })
  })

  await t.test('continues at the right place when the entry of the cursor is gone', async (t) => {
    const { live, store } = await openLibrary(
      t,
      subject,
      put(books, book('a', { price: 1 }), book('b', { price: 2 }), book('c', { price: 2 }), book('d', { price: 3 })),
    )
    await save(live, [...remove(books, 'b'), ...put(books, book('a', { price: 9 }))])
    const idsAfter = (after: IndexValue[]) => reading(store, (reads) => reads.ids(books, { index: 'price', equals: [], after, limit: 9 }))
    t.strictSame(await idsAfter([2, 'b']), ['c', 'd', 'a'])
    t.strictSame(await idsAfter([2, 'zzz']), ['d', 'a'])
    t.strictSame(await idsAfter([2.5, '']), ['d', 'a'])
    t.strictSame(await idsAfter([9, 'a']), [])
  })
}

async function walk(reads: Reads, query: IndexQuery, keyOf: Walk['keyOf'], limit: number): Promise<Book[]> {
  const seen: Book[] = []
  for (;;) {
    const last = seen.at(-1)
    const page = await reads.range(books, { ...query, limit, ...(last && { after: keyOf(last) }) })
    seen.push(...page)
    if (page.length < limit) return seen
  }
}

function manyTies(i: number): Book {
  return book(`b${(i * 7919) % 240}`, {
    title: i % 5 === 0 ? 'Same' : `T${i % 4}`,
    shelf: i % 3 === 0 ? 'maps' : 'fiction',
    price: (i % 6) / 4 - 0.5,
    tags: i % 2 === 0 ? ['all'] : ['all', 'odd'],
    loans: i % 4,
  })
}
