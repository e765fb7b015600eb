import type { Test } from 'tap'
import type { Collection, IndexQuery, Reads } from '../../../src/ports/document-store.js'
import {
  type Book,
  book,
  books,
  type Change,
  collections,
  type DocumentStoreSubject,
  everyEntry,
  generation,
  oddities,
  openFor,
  openLibrary,
  PROJECTION,
  put,
  remove,
  save,
} from '../library-model.js'
import { opened } from '../subject.js'
import { ODD_DOCUMENTS } from './values.js'

/** Hard for a store that computes index entries in two places: nearly equal fractions, and numbers beyond exact integers. */
const PRICES = [
  0,
  -1.5,
  1593412.537711596,
  0.000007413586326455208,
  0.1,
  0.1 + 0.2,
  1 / 3,
  1e-7,
  5e-324,
  123456.789,
  2 ** 53 - 1,
  2 ** 60,
  2 ** 63,
  1e21,
  1.7976931348623157e308,
  -(2 ** 62),
]

export async function building(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test('a loading generation folds without query indexes', async (t) => {
    const { store } = await opened(t, subject)
    const target = await generation(t, store)
    await save(target, put(books, book('a', { tags: ['x'] }), book('b', { tags: ['x', 'y'] })))
    await save(target, [...put(books, book('a', { tags: ['y'], shelf: 'maps' })), ...remove(books, 'b')])
    t.strictSame(await target.ids(books, { index: 'tag', equals: ['y'], limit: 9 }), ['a'])
    t.strictSame(await target.ids(books, { index: 'shelf', equals: [], limit: 9 }), ['a'])
    t.strictSame(await target.ids(books, { index: '_id', equals: [], limit: 9 }), ['a'])
  })

  await t.test('indexes built after loading answer like those kept all along', async (t) => {
    const { store } = await opened(t, subject)
    const late = await generation(t, store)
    const early = await generation(t, store)
    await early.buildIndexes()
    for (const target of [late, early]) for (const changes of history()) await save(target, changes)
    await late.buildIndexes()
    await sameAnswers(t, late, early)
  })

  await t.test('and are kept up from then on, also by a leader that had opened the generation before', async (t) => {
    const { store, another } = await opened(t, subject)
    const late = await generation(t, store)
    const early = await generation(t, store)
    const heir = await openFor(t, await another(), late.generation)
    await early.buildIndexes()
    for (const target of [late, early]) for (const changes of history()) await save(target, changes)
    await late.buildIndexes()
    for (const target of [late, early]) await save(target, upheaval())
    await sameAnswers(t, late, early)

    await heir.fence(2)
    for (const target of [heir, early])
      await save(target, [...put(books, bookNumber(3), book('new', { tags: ['x'] })), ...remove(books, 'b5')])
    await sameAnswers(t, heir, early)
  })

  await t.test('a leader that was frozen while it built them leaves those of its successor as they are', async (t) => {
    for (const frozenAt of [1, 2, 5]) {
      const { store, another } = await opened(t, subject)
      const [old, early] = [await generation(t, store), await generation(t, store)]
      const heir = await openFor(t, await another(), old.generation)
      await early.buildIndexes()
      for (const target of [old, early]) for (const changes of history()) await save(target, changes)
      let steps = 0
      const frozen = async (step: () => Promise<void>) => {
        if (++steps === frozenAt) {
          await heir.fence(2)
          await heir.buildIndexes()
          for (const target of [heir, early]) await save(target, upheaval())
        }
        await step()
      }
      // A server that keeps its indexes by itself has nothing to refuse.
      await old.buildIndexes(frozen).catch((error) => t.match(error, { name: 'FencedError' }))
      t.ok(steps > 0, 'it was about to, or in the middle of it')
      if (steps < frozenAt) continue
      for (const target of [heir, early]) await save(target, [...put(books, book('new', { tags: ['x'] })), ...remove(books, 'b5')])
      await sameAnswers(t, heir, early)
    }
  })

  await t.test('after everything is deleted, an index built later has no entry', async (t) => {
    const { store } = await opened(t, subject)
    const target = await generation(t, store)
    for (const changes of history()) await save(target, changes)
    await target.buildIndexes()
    for (const collection of collections) {
      await save(target, remove(collection, ...(await target.ids(collection, { index: '_id', equals: [], limit: 1000 }))))
      for (const query of everyEntry(collection))
        t.equal(await target.count(collection, query), 0, `${collection.name} by ${JSON.stringify(query)}`)
    }
  })

  await t.test('an index that was declared later is built by the next leader', async (t) => {
    const lent = (id: string, loans: number) => book(id, { loans })
    const { store } = await openLibrary(t, subject, put(books, lent('a', 2), lent('b', 1)))
    const live = (await store.generations(PROJECTION)).find(({ state }) => state === 'live')
    if (live === undefined) throw new Error('nothing is live')
    const late = [
      { name: 'lateQuery', fields: ['loans'], use: 'query' as const },
      { name: 'lateFold', fields: ['loans', 'price'], use: 'fold' as const },
    ]
    const edited = { ...books, indexes: [...books.indexes, ...late] }
    const next = await store.openGeneration(live, [...collections.filter((each) => each !== books), edited])
    t.teardown(() => next.close())
    await next.fence(2)
    await save(next, put(edited, lent('c', 0)))
    for (const { name } of late) t.strictSame(await next.ids(edited, { index: name, equals: [], limit: 9 }), ['c', 'b', 'a'], name)
  })

  await t.test('an index of the same name with other fields or another order is another one', async (t) => {
    const lent = (id: string, price: number, loans: number) => book(id, { price, loans })
    const { store } = await openLibrary(t, subject, put(books, lent('a', 1, 2), lent('b', 2, 1)))
    const live = (await store.generations(PROJECTION)).find(({ state }) => state === 'live')
    if (live === undefined) throw new Error('nothing is live')
    const query = { index: 'edited', equals: [], limit: 9 }
    const by = (key: string, fields: string[], order: 'asc' | 'desc' = 'asc') => ({
      ...books,
      indexes: [...books.indexes, { name: 'edited', key, fields, order, use: 'query' as const }],
    })
    const led = async (edited: typeof books, epoch: number) => {
      const next = await store.openGeneration(live, [...collections.filter((each) => each !== books), edited])
      t.teardown(() => next.close())
      // The memory store has no indexes to build.
      if (subject.name !== 'memory') {
        const snapshot = await store.snapshot([PROJECTION])
        await t.rejects(snapshot.model(PROJECTION).ids(edited, query), { name: 'ModelUnavailableError' }, `before ${epoch}`)
        snapshot.release()
      }
      await next.fence(epoch)
      return next
    }
    const loans = by('aa', ['loans'])
    const price = by('bb', ['price', 'loans'])
    const falling = by('cc', ['price', 'loans'], 'desc')
    t.strictSame(await (await led(loans, 2)).ids(loans, query), ['b', 'a'])
    const next = await led(price, 3)
    t.strictSame(await next.ids(price, query), ['a', 'b'])
    await save(next, put(price, lent('c', 0, 0)))
    t.strictSame(await (await led(falling, 4)).ids(falling, query), ['b', 'a', 'c'])
    const again = await store.openGeneration(live, [...collections.filter((each) => each !== books), loans])
    t.teardown(() => again.close())
    await again.fence(5)
    t.strictSame(await again.ids(loans, query), ['c', 'b', 'a'], 'and back: nothing is out of date')
  })

  await t.test('building twice is harmless, and so is building an empty generation', async (t) => {
    const { live, store } = await openLibrary(t, subject, put(books, book('a'), book('b')))
    await live.buildIndexes()
    t.strictSame(await live.ids(books, { index: 'price', equals: [], limit: 9 }), ['a', 'b'])
    const empty = await generation(t, store)
    await empty.buildIndexes()
    t.strictSame(await empty.range(books, { index: 'price', equals: [], limit: 9 }), [])
  })
}

function bookNumber(i: number): Book {
  return book(`b${i}`, {
    title: ['Emma', 'émile', '日本', '😀', '\ufffd', '10', '9'][i % 7] ?? '',
    shelf: [null, 'maps', 'fiction', ''][i % 4] ?? null,
    price: PRICES[i % PRICES.length] ?? 0,
    tags: [`t${i % 3}`, `t${i % 3}`, `u${i % 5}`],
    loans: (i * 37) % 11,
  })
}

function history(): Change[][] {
  const first = Array.from({ length: 100 }, (_, i) => bookNumber(i))
  const second = first
    .filter((_, i) => i % 3 === 0)
    .map((old, i) => ({ ...old, price: old.price + 0.7, tags: [...old.tags.slice(1), 'again'], loans: i }))
  return [put(books, ...first), [...put(books, ...second), ...remove(books, 'b1', 'b31')], put(oddities, ...ODD_DOCUMENTS)]
}

/** Every price, title and tag changes, and every oddity. */
function upheaval(): Change[] {
  const moved = Array.from({ length: 100 }, (_, i) => ({ ...bookNumber(i + 1), _id: `b${i}` }))
  return [...put(books, ...moved), ...put(oddities, ...ODD_DOCUMENTS.map(({ _id }, i) => ({ _id, value: i / 7, list: [i, 'x'] })))]
}

async function sameAnswers(t: Test, one: Reads, other: Reads): Promise<void> {
  for (const collection of collections) for (const query of everyEntry(collection)) await same(t, one, other, collection, query)
  for (const price of PRICES) await same(t, one, other, books, { index: 'price', equals: [price] })
  for (const title of ['Emma', 'é', '日', '😀', '1']) await same(t, one, other, books, { index: 'title', equals: [], startsWith: title })
  for (const shelf of ['maps', 'fiction', '']) await same(t, one, other, books, { index: 'shelfLoans', equals: [shelf] })
}

async function same(t: Test, one: Reads, other: Reads, collection: Collection, query: IndexQuery): Promise<void> {
  const limited = { ...query, limit: 1000 }
  const message = `${collection.name} ${JSON.stringify(query)}`
  t.strictSame(await one.range(collection, limited), await other.range(collection, limited), message)
  t.strictSame(await one.ids(collection, limited), await other.ids(collection, limited), message)
  t.equal(await one.count(collection, query), await other.count(collection, query), message)
}
