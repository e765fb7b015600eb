import type { Test } from 'tap'
import {
  type Book,
  book,
  books,
  bothReads,
  type Change,
  type DocumentStoreSubject,
  everyEntry,
  loans,
  next,
  oddities,
  openLibrary,
  put,
  reading,
  remove,
  save,
  writesOf,
} from '../library-model.js'

export async function committing(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test('a change moves the document in every index it moves in, and in no other', async (t) => {
    const library = await openLibrary(
      t,
      subject,
      put(books, book('a', { shelf: 'maps', tags: ['x', 'y'], loans: 1 }), book('b', { tags: ['y'] })),
    )
    await save(library.live, put(books, book('a', { title: 'New', shelf: 'fiction', price: 11, tags: ['y', 'z'], loans: 2 })))
    await bothReads(t, library, async (t, reads) => {
      const ids = (index: string, ...equals: (string | number)[]) => reads.ids(books, { index, equals, limit: 9 })
      t.strictSame(await ids('shelf', 'maps'), [])
      t.strictSame(await ids('shelf', 'fiction'), ['a', 'b'])
      t.strictSame(await ids('shelfLoans', 'maps'), [])
      t.strictSame(await ids('shelfLoans', 'fiction'), ['a', 'b'])
      t.strictSame(await ids('loans', 1), [])
      t.strictSame(await ids('loans'), ['a', 'b'])
      t.strictSame(await ids('price'), ['b', 'a'])
      t.strictSame(await ids('title', 'The a'), [])
      t.strictSame(await ids('title', 'New'), ['a'])
      t.strictSame(await ids('tag', 'x'), [])
      t.strictSame(await ids('tag', 'y'), ['a', 'b'])
      t.strictSame(await ids('tagLoans', 'z', 2), ['a'])
      t.strictSame(await ids('tagLoans', 'y', 1), [])
      t.equal(await reads.count(books, { index: 'tag', equals: ['y'] }), 2)
    })
  })

  await t.test('entries come and go with the field', async (t) => {
    const { live, store } = await openLibrary(t, subject, put(oddities, { _id: 'a', value: 1, list: ['x'] }))
    const entries = async () => {
      const ids = (index: string, ...equals: (string | number)[]) =>
        reading(store, (reads) => reads.ids(oddities, { index, equals, limit: 9 }))
      return [await ids('value'), await ids('foldValue'), await ids('element', 'x'), await ids('element', 1)]
    }
    t.strictSame(await entries(), [['a'], ['a'], ['a'], []])
    await save(live, put(oddities, { _id: 'a', value: null }))
    t.strictSame(await entries(), [[], [], [], []])
    await save(live, put(oddities, { _id: 'a', value: { inner: 3 }, list: [1, 2, 1] }))
    t.strictSame(await entries(), [[], [], [], ['a']])
    await save(live, put(oddities, { _id: 'a', value: '3' }))
    t.strictSame(await entries(), [['a'], ['a'], [], []])
  })

  await t.test('a number that becomes a string moves', async (t) => {
    const { live, store } = await openLibrary(t, subject, put(oddities, { _id: 'a', value: 1, list: [1, 2] }))
    await save(live, put(oddities, { _id: 'a', value: '1', list: ['1', 2] }))
    await reading(store, async (reads) => {
      const ids = (index: string, value: string | number) => reads.ids(oddities, { index, equals: [value], limit: 9 })
      t.strictSame([await ids('value', 1), await ids('value', '1')], [[], ['a']])
      t.strictSame([await ids('element', 1), await ids('element', '1'), await ids('element', 2)], [[], ['a'], ['a']])
    })
  })

  await t.test('a deleted document is in no index; one written again is', async (t) => {
    const library = await openLibrary(t, subject, put(books, book('a', { tags: ['x'] }), book('b', { tags: ['x', 'y'] })))
    await save(library.live, remove(books, 'a', 'never there'))
    await bothReads(t, library, async (t, reads) => {
      t.strictSame(await reads.get(books, ['a', 'b']), [undefined, book('b', { tags: ['x', 'y'] })])
      for (const query of everyEntry(books))
        t.ok(
          (await reads.ids(books, { ...query, limit: 9 })).every((id) => id === 'b'),
          JSON.stringify(query),
        )
      for (const index of ['price', 'shelfLoans']) t.strictSame(await reads.ids(books, { index, equals: [], limit: 9 }), ['b'], index)
      t.strictSame(await reads.ids(books, { index: 'tag', equals: ['x'], limit: 9 }), ['b'])
    })
    await save(library.live, put(books, book('a', { tags: ['y'] })))
    t.strictSame(await library.live.ids(books, { index: 'tag', equals: ['y'], limit: 9 }), ['a', 'b'])
    t.strictSame(await library.live.ids(books, { index: 'tag', equals: ['x'], limit: 9 }), ['b'])
  })

  await t.test('several collections, writing, changing and deleting, in one commit', async (t) => {
    const library = await openLibrary(t, subject, put(books, book('a'), book('b')))
    await save(library.live, [
      ...put(loans, { _id: 'ann|a', reader: 'ann', book: 'a', at: 1 }),
      ...put(books, book('c', { price: 1 }), book('a', { price: 2 })),
      ...remove(books, 'b'),
    ])
    await bothReads(t, library, async (t, reads) => {
      t.strictSame(await reads.ids(books, { index: 'price', equals: [], limit: 9 }), ['c', 'a'])
      t.equal(await reads.count(loans, { index: 'book', equals: ['a'] }), 1)
    })
  })

  await t.test('a commit that fails half-way changes nothing', async (t) => {
    const library = await openLibrary(t, subject, put(books, book('a', { tags: ['x'] }), book('b')))
    const { live } = library
    const before = await live.checkpoint()
    const changes: Change[] = [...put(books, book('a', { tags: ['y'] }), book('new')), ...remove(books, 'b')]
    const unwritable: Book = Object.defineProperty(book('z'), 'title', {
      enumerable: true,
      get: () => {
        throw new Error('cannot be written')
      },
    })
    await t.rejects(save(live, [...changes, ...put(books, unwritable)]), { message: 'cannot be written' })
    t.strictSame(await live.checkpoint(), before)
    await bothReads(t, library, async (t, reads) => {
      for (const query of everyEntry(books)) {
        const found = await reads.ids(books, { ...query, limit: 9 })
        t.ok(
          found.every((id) => id === 'a' || id === 'b'),
          JSON.stringify(query),
        )
      }
    })
    t.strictSame(await live.ids(books, { index: 'tag', equals: ['x'], limit: 9 }), ['a'])
    await save(live, changes)
    t.strictSame(await live.ids(books, { index: '_id', equals: [], limit: 9 }), ['a', 'new'], 'and can be tried again')
  })

  await t.test('a commit may move nothing but the checkpoint', async (t) => {
    const { live, reopen } = await openLibrary(t, subject, put(books, book('a')))
    const to = await save(live, [])
    const store = await reopen()
    const snapshot = await store.snapshot(['library'])
    t.strictSame(snapshot.model('library').checkpoint, to)
    snapshot.release()
  })

  await t.test('takes thousands of writes at once', async (t) => {
    const many = (over: (i: number) => Partial<Book>) => Array.from({ length: 5000 }, (_, i) => book(`b${i}`, over(i)))
    const library = await openLibrary(t, subject, put(books, ...many((i) => ({ loans: i, tags: [`t${i % 10}`, 'all'] }))))
    t.equal(await library.live.count(books, { index: 'tag', equals: ['all'] }), 5000)
    await save(library.live, put(books, ...many((i) => ({ loans: 5000 - i, tags: [`t${i % 5}`] }))))
    await bothReads(t, library, async (t, reads) => {
      t.equal(await reads.count(books, { index: 'tag', equals: ['all'] }), 0)
      t.strictSame(await reads.ids(books, { index: 'loans', equals: [], limit: 3 }), ['b0', 'b1', 'b2'])
      t.equal(await reads.count(books, { index: 'tag', equals: ['t0'] }), 1000)
      const found = await reads.get(
        books,
        many(() => ({})).map(({ _id }) => _id),
      )
      t.ok(found.every((doc, i) => doc?.loans === 5000 - i))
    })
    const from = await library.live.checkpoint()
    await library.live.commit({
      from,
      to: next(from),
      writes: await writesOf(library.live, remove(books, ...many(() => ({})).map(({ _id }) => _id))),
    })
    for (const query of everyEntry(books)) t.equal(await library.live.count(books, query), 0)
  })
}
