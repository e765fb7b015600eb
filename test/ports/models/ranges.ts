import type { Test } from 'tap'
import type { IndexQuery, Reads } from '../../../src/ports/document-store.js'
import { type Book, book, books, bothReads, type DocumentStoreSubject, loans, openLibrary, put } from '../library-model.js'

const MANY = 1000

export async function ranges(t: Test, subject: DocumentStoreSubject): Promise<void> {
  const library = await openLibrary(t, subject, [
    ...put(
      books,
      book('dune', { title: 'Dune', price: 9, tags: ['desert', 'space', 'sand'], loans: 7 }),
      book('emma', { title: 'Emma', price: 5, tags: ['society'], loans: 3 }),
      book('ants', { title: 'Empire of the Ants', price: 5, tags: ['nature', 'society'], loans: 7 }),
      book('atlas', { title: 'Atlas', shelf: 'maps', price: 30.5, tags: ['space', 'sea', 'sea'], loans: 7 }),
      book('cook', { title: 'Cook', shelf: null, price: 5, tags: [], loans: 3 }),
    ),
    ...put(books, withoutShelf(book('box', { title: 'Box', price: -2, loans: 0 }))),
    ...put(
      loans,
      { _id: 'ann|dune', reader: 'ann', book: 'dune', at: 2 },
      { _id: 'ann|emma', reader: 'ann', book: 'emma', at: 5 },
      { _id: 'bob|dune', reader: 'bob', book: 'dune', at: 3 },
    ),
  ])
  const found = async (reads: Reads, query: IndexQuery, limit = MANY) =>
    (await reads.range(books, { ...query, limit })).map(({ _id }) => _id)

  await t.test('get gives documents in the order asked for, and says what is missing', (t) =>
    bothReads(t, library, async (t, reads) => {
      const titles = (docs: (Book | undefined)[]) => docs.map((doc) => doc?.title)
      t.strictSame(titles(await reads.get(books, ['emma', 'nothing', 'atlas', 'emma', ''])), [
        'Emma',
        undefined,
        'Atlas',
        'Emma',
        undefined,
      ])
      t.strictSame(await reads.get(books, []), [])
      const many = Array.from({ length: 500 }, (_, i) => (i % 100 === 7 ? 'dune' : i === 250 ? 'cook' : `missing ${i}`))
      t.strictSame(
        titles(await reads.get(books, many)),
        many.map((id) => ({ dune: 'Dune', cook: 'Cook' })[id]),
      )
    }),
  )

  await t.test('rises with ties by id rising, falls with ties by id falling', (t) =>
    bothReads(t, library, async (t, reads) => {
      t.strictSame(await found(reads, { index: 'price', equals: [] }), ['box', 'ants', 'cook', 'emma', 'dune', 'atlas'])
      t.strictSame(await found(reads, { index: 'loans', equals: [] }), ['dune', 'atlas', 'ants', 'emma', 'cook', 'box'])
      t.strictSame(await found(reads, { index: 'price', equals: [5] }), ['ants', 'cook', 'emma'])
      t.strictSame(await found(reads, { index: 'loans', equals: [7] }), ['dune', 'atlas', 'ants'])
      t.strictSame(await found(reads, { index: 'loans', equals: [8] }), [])
    }),
  )

  await t.test('lists of ids that are asked for at one moment are each their own', (t) =>
    bothReads(t, library, async (t, reads) => {
      const ids = (index: string, equals: string[], limit = MANY) => reads.ids(books, { index, equals, limit })
      const lists = [ids('tagLoans', ['society']), ids('tagLoans', ['none']), ids('tag', ['society']), ids('tagLoans', ['space'], 1)]
      t.strictSame(await Promise.all([...lists, ids('tagLoans', ['society'])]), [
        ['ants', 'emma'],
        [],
        ['ants', 'emma'],
        ['dune'],
        ['ants', 'emma'],
      ])
    }),
  )

  for (const copies of [2, 700]) {
    await t.test(`and so are many lists of an index, with ${copies} documents in some`, async (t) => {
      const copy = (_: unknown, i: number) => book(`copy ${i}`, { tags: i % 2 ? ['odd', 'copies'] : ['copies', 'copies'], loans: i % 5 })
      const copied = await openLibrary(
        t,
        subject,
        put(books, ...Array.from({ length: 2 * copies }, copy), book('dune', { tags: ['sand', 'odd'] })),
      )
      await bothReads(t, copied, async (t, reads) => {
        for (const index of ['tag', 'tagLoans']) {
          const asked = ['copies', 'none', 'odd', '', 'copies', 'sand', 'x', 'y', 'z'].map((tag, i) => ({
            ...{ index, equals: [tag] },
            limit: i === 4 ? 1 : 2 * MANY,
          }))
          const alone: string[][] = []
          for (const query of asked) alone.push(await reads.ids(books, query))
          t.strictSame(await Promise.all(asked.map((query) => reads.ids(books, query))), alone)
          t.strictSame([alone[0]?.length, alone[2]?.length, alone[4]?.length], [2 * copies, copies + 1, 1])
        }
      })
    })
  }

  await t.test('a compound index answers with none, some or all of its leading fields given', (t) =>
    bothReads(t, library, async (t, reads) => {
      t.strictSame(await found(reads, { index: 'shelfLoans', equals: ['fiction'] }), ['dune', 'ants', 'emma'])
      t.strictSame(await found(reads, { index: 'shelfLoans', equals: ['fiction', 7] }), ['dune', 'ants'])
      t.strictSame(await found(reads, { index: 'shelfLoans', equals: [] }), ['atlas', 'dune', 'ants', 'emma'])
      t.strictSame(await found(reads, { index: 'shelfTitle', equals: [] }), ['dune', 'emma', 'ants', 'atlas'])
    }),
  )

  await t.test('a document whose field is missing or null is not in the index', (t) =>
    bothReads(t, library, async (t, reads) => {
      t.strictSame(await found(reads, { index: 'shelf', equals: [] }), ['ants', 'dune', 'emma', 'atlas'])
      t.equal(await reads.count(books, { index: 'shelf', equals: [] }), 4)
      t.equal(await reads.count(books, { index: 'price', equals: [] }), 6)
    }),
  )

  await t.test('a multi-value index holds a document once per different element', (t) =>
    bothReads(t, library, async (t, reads) => {
      t.strictSame(await found(reads, { index: 'tag', equals: ['society'] }), ['ants', 'emma'])
      t.strictSame(await found(reads, { index: 'tag', equals: ['sea'] }), ['atlas'])
      t.strictSame(await found(reads, { index: 'tagLoans', equals: ['space'] }), ['dune', 'atlas'])
      t.strictSame(await found(reads, { index: 'tagLoans', equals: ['society', 3] }), ['emma'])
      t.strictSame(await found(reads, { index: 'shelfTag', equals: ['fiction', 'society'] }), ['ants', 'emma'])
      t.strictSame(await found(reads, { index: 'shelfTag', equals: ['fiction', 'sea'] }), [])
      t.equal(await reads.count(books, { index: 'tag', equals: ['sea'] }), 1)
    }),
  )

  await t.test('it is only asked for an element', (t) =>
    bothReads(t, library, async (t, reads) => {
      const without: IndexQuery[] = [
        { index: 'tag', equals: [] },
        { index: 'tag', equals: [], startsWith: 's' },
        { index: 'shelfTag', equals: ['fiction'] },
      ]
      for (const query of without) {
        const complaint = { message: /is by the elements of "tags": a query has to give one/ }
        await t.rejects(reads.range(books, { ...query, limit: 1 }), complaint)
        await t.rejects(reads.ids(books, { ...query, limit: 1 }), complaint)
        await t.rejects(reads.count(books, query), complaint)
      }
    }),
  )

  await t.test('the next field may begin with something', (t) =>
    bothReads(t, library, async (t, reads) => {
      t.strictSame(await found(reads, { index: 'title', equals: [], startsWith: 'Em' }), ['emma', 'ants'])
      t.strictSame(await found(reads, { index: 'title', equals: [], startsWith: 'Emma' }), ['emma'])
      t.strictSame(await found(reads, { index: 'title', equals: [], startsWith: 'em' }), [], 'case matters')
      t.strictSame(await found(reads, { index: 'title', equals: [], startsWith: '' }), ['atlas', 'box', 'cook', 'dune', 'emma', 'ants'])
      t.strictSame(await found(reads, { index: 'title', equals: [], startsWith: '%' }), [])
      t.strictSame(await found(reads, { index: 'shelfTitle', equals: ['fiction'], startsWith: 'E' }), ['emma', 'ants'])
      t.strictSame(await found(reads, { index: 'shelfTitle', equals: ['maps'], startsWith: 'E' }), [])
    }),
  )

  await t.test('_id is an index of every collection', (t) =>
    bothReads(t, library, async (t, reads) => {
      t.strictSame(await found(reads, { index: '_id', equals: [] }), ['ants', 'atlas', 'box', 'cook', 'dune', 'emma'])
      t.strictSame(await found(reads, { index: '_id', equals: [], startsWith: 'a' }), ['ants', 'atlas'])
      t.strictSame(await reads.ids(loans, { index: '_id', equals: [], startsWith: 'ann|', limit: MANY }), ['ann|dune', 'ann|emma'])
      t.equal(await reads.count(books, { index: '_id', equals: [] }), 6)
      t.equal(await reads.count(loans, { index: '_id', equals: [], startsWith: 'ann|' }), 2)
      t.strictSame(await reads.ids(books, { index: '_id', equals: [], after: ['box'], limit: 2 }), ['cook', 'dune'])
      t.strictSame(await reads.ids(books, { index: '_id', equals: [], startsWith: 'a', after: ['ants'], limit: 2 }), ['atlas'])
    }),
  )

  await t.test('edges are found from both ends', (t) =>
    bothReads(t, library, async (t, reads) => {
      t.strictSame(await reads.ids(loans, { index: 'book', equals: ['dune'], limit: MANY }), ['ann|dune', 'bob|dune'])
      t.strictSame(await reads.range(loans, { index: 'reader', equals: ['ann'], limit: 1 }), [
        { _id: 'ann|emma', reader: 'ann', book: 'emma', at: 5 },
      ])
      t.strictSame(await reads.get(loans, ['bob|dune', 'bob|emma']), [{ _id: 'bob|dune', reader: 'bob', book: 'dune', at: 3 }, undefined])
    }),
  )

  await t.test('limits, ids and counts agree with the range', (t) =>
    bothReads(t, library, async (t, reads) => {
      const queries: IndexQuery[] = [
        { index: 'loans', equals: [] },
        { index: 'shelfLoans', equals: ['fiction'] },
        { index: 'tagLoans', equals: ['space'] },
        { index: 'tag', equals: ['society'] },
        { index: '_id', equals: [] },
        { index: 'shelf', equals: ['nowhere'] },
      ]
      for (const query of queries) {
        const all = await found(reads, query)
        t.strictSame(await reads.ids(books, { ...query, limit: MANY }), all)
        t.strictSame(await found(reads, query, 2), all.slice(0, 2))
        t.equal(await reads.count(books, query), all.length)
        t.equal(await reads.count(books, query, 2), Math.min(all.length, 2), 'counted no further than asked')
        t.equal(await reads.count(books, query, all.length + 1), all.length)
      }
    }),
  )

  await t.test('an undeclared index is an error', (t) =>
    bothReads(t, library, async (t, reads) => {
      await t.rejects(reads.range(books, { index: 'colour', equals: [], limit: 1 }))
      await t.rejects(reads.count(books, { index: 'colour', equals: [] }))
    }),
  )
}

function withoutShelf({ shelf: _, ...rest }: Book): Book {
  return rest
}
