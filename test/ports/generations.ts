import type { Test } from 'tap'
import {
  book,
  books,
  collections,
  type DocumentStoreSubject,
  generation,
  openFor,
  openLibrary,
  PROJECTION,
  put,
  reading,
  save,
} from './library-model.js'
import { eventually, opened } from './subject.js'

/** What every store promises about the life cycle of generations. */
export async function generationsContract(t: Test, subject: DocumentStoreSubject): Promise<void> {
  const all = { index: '_id', equals: [], limit: 9 }

  await t.test('are listed in the order they were made, per projection', async (t) => {
    const { store, another } = await opened(t, subject)
    t.strictSame(await store.generations(PROJECTION), [])
    const before = Date.now()
    const first = await store.createGeneration(PROJECTION, 3, collections)
    const other = await store.createGeneration('museum', 1, collections)
    const second = await store.createGeneration(PROJECTION, 4, collections)
    t.match(first, { projection: PROJECTION, version: 3, state: 'loading' })
    t.match(second, { projection: PROJECTION, version: 4, state: 'loading' })
    t.ok(second.number > first.number)
    t.ok(first.createdAt >= before - 1000 && first.createdAt <= Date.now() + 1000, `made at ${first.createdAt}`)
    for (const handle of [store, await another()]) {
      t.strictSame(await handle.generations(PROJECTION), [first, second])
      t.strictSame(await handle.generations('museum'), [other])
    }
  })

  await t.test('the projections that have any are listed', async (t) => {
    const { store, another } = await opened(t, subject)
    await store.acquireLease('zoo', 'ann', 60_000)
    t.strictSame(await store.projections(), [], 'a lease alone makes no generation')
    const doomed = await store.createGeneration('museum', 1, collections)
    await store.createGeneration(PROJECTION, 1, collections)
    await store.createGeneration(PROJECTION, 2, collections)
    t.strictSame(await (await another()).projections(), [PROJECTION, 'museum'].sort())
    await store.dropGeneration(doomed)
    t.strictSame(await store.projections(), [PROJECTION])
  })

  await t.test('two made at once are two', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const made = await Promise.all([store, other, store, other].map((handle) => handle.createGeneration(PROJECTION, 3, collections)))
    t.equal(new Set(made.map(({ number }) => number)).size, 4)
    t.equal((await store.generations(PROJECTION)).length, 4)
  })

  await t.test('hold their own documents', async (t) => {
    const { store } = await opened(t, subject)
    const [one, two] = [await generation(t, store), await generation(t, store)]
    await save(one, put(books, book('a', { tags: ['x'] })))
    await save(two, put(books, book('a', { tags: ['y'] }), book('b', { tags: ['x'] })))
    t.strictSame(await one.ids(books, { index: 'tag', equals: ['x'], limit: 9 }), ['a'])
    t.strictSame(await two.ids(books, { index: 'tag', equals: ['x'], limit: 9 }), ['b'])
  })

  await t.test('one is live at a time: promoting retires the live one, and can be undone', async (t) => {
    const { store, live: first, another } = await openLibrary(t, subject, put(books, book('old')))
    const second = await generation(t, store)
    await save(second, put(books, book('new')))
    await second.buildIndexes()
    const states = async () => (await store.generations(PROJECTION)).map(({ state }) => state)
    t.strictSame(await states(), ['live', 'loading'])
    await (await another()).promote(second.generation)
    t.strictSame(await states(), ['retired', 'live'])
    t.strictSame(await reading(store, (reads) => reads.ids(books, all)), ['new'])
    await store.promote(first.generation)
    t.strictSame(await states(), ['live', 'retired'])
    t.strictSame(await reading(store, (reads) => reads.ids(books, all)), ['old'])
  })

  await t.test('a retired generation can still be written, unseen by readers', async (t) => {
    const { store, live: first } = await openLibrary(t, subject, put(books, book('old')))
    const second = await generation(t, store)
    await second.buildIndexes()
    await store.promote(second.generation)
    await save(first, put(books, book('caught up')))
    t.strictSame(await reading(store, (reads) => reads.ids(books, all)), [])
    await store.promote(first.generation)
    t.strictSame(await reading(store, (reads) => reads.ids(books, { index: 'price', equals: [], limit: 9 })), ['caught up', 'old'])
  })

  await t.test('survive a restart with their state', async (t) => {
    const { store, reopen } = await openLibrary(t, subject, put(books, book('a')))
    const loading = await store.createGeneration(PROJECTION, 3, collections)
    const before = await store.generations(PROJECTION)
    const again = await reopen()
    t.strictSame(await again.generations(PROJECTION), before)
    t.strictSame(await reading(again, (reads) => reads.get(books, ['a'])), [book('a')])
    const target = await openFor(t, again, loading)
    t.strictSame(target.generation, loading)
  })

  await t.test('a dropped one is gone, and the others are not', async (t) => {
    const { store, live, reopen } = await openLibrary(t, subject, put(books, book('a')))
    const doomed = await store.createGeneration(PROJECTION, 3, collections)
    const writing = await store.openGeneration(doomed, collections)
    await writing.fence(1)
    await save(writing, put(books, book('doomed')))
    await writing.close()
    await store.dropGeneration(doomed)
    t.strictSame(await store.generations(PROJECTION), [{ ...live.generation, state: 'live' }])
    t.strictSame(await reading(store, (reads) => reads.ids(books, all)), ['a'])
    t.equal((await (await reopen()).generations(PROJECTION)).length, 1)
  })

  await t.test('the successor of a dropped one begins empty, also for readers who have seen the dropped one', async (t) => {
    const { store, live: first, another } = await openLibrary(t, subject, put(books, book('first')))
    const reader = await another()
    const promoted = async (id: string) => {
      const made = await store.createGeneration(PROJECTION, 3, collections)
      const target = await store.openGeneration(made, collections)
      await target.fence(1)
      await target.buildIndexes()
      t.strictSame(await target.ids(books, all), [])
      await save(target, put(books, book(id)))
      await target.close()
      await store.promote(made)
      t.strictSame(await reading(reader, (reads) => reads.ids(books, all)), [id])
      return made
    }
    const second = await promoted('second')
    await store.promote(first.generation)
    await store.dropGeneration(second)
    await promoted('third')
  })

  await t.test('a leader that another one has replaced can neither promote nor drop', async (t) => {
    const { store, live, another } = await openLibrary(t, subject, put(books, book('live')))
    const rebuilt = await generation(t, store)
    await rebuilt.buildIndexes()
    const lease = async (handle = store) => {
      const taken = await handle.acquireLease(PROJECTION, 'ann', 60_000)
      if (taken === null) throw new Error('another holder has the lease')
      return taken
    }
    const old = await lease()
    await store.releaseLease(old)
    await store.promote(rebuilt.generation, old)
    await store.promote(live.generation, old)
    t.pass('a lease that ran out is still the newest')
    const young = await lease(await another())
    await t.rejects(store.promote(rebuilt.generation, old), { name: 'FencedError' })
    await t.rejects(store.dropGeneration(rebuilt.generation, old), { name: 'FencedError' })
    t.strictSame(
      (await store.generations(PROJECTION)).map(({ state }) => state),
      ['live', 'retired'],
    )
    await store.promote(rebuilt.generation, young)
    await store.dropGeneration(live.generation, young)
    t.strictSame(await store.generations(PROJECTION), [{ ...rebuilt.generation, state: 'live' }])
  })

  await t.test('the live one cannot be dropped, one that is gone already can', async (t) => {
    const { store, live } = await openLibrary(t, subject, put(books, book('live')))
    await t.rejects(store.dropGeneration(live.generation), /live/)
    t.strictSame(await reading(store, (reads) => reads.ids(books, all)), ['live'])
    const doomed = await store.createGeneration(PROJECTION, 3, collections)
    await store.dropGeneration(doomed)
    await store.dropGeneration(doomed)
    await t.rejects(store.promote(doomed))
    t.strictSame(await reading(store, (reads) => reads.ids(books, all)), ['live'])
  })

  await t.test('without a live generation the model is gone for readers, and all of it can be dropped', async (t) => {
    const { store, live } = await openLibrary(t, subject, put(books, book('live')))
    const old = await store.acquireLease(PROJECTION, 'ann', 1)
    const lease = await eventually(() => store.acquireLease(PROJECTION, 'ben', 60_000))
    if (old === null) throw new Error('another holder has the lease')
    await t.rejects(store.demote(PROJECTION, old), { name: 'FencedError' })
    await store.demote(PROJECTION, lease)
    await t.rejects(
      reading(store, (reads) => reads.ids(books, all)),
      { name: 'ModelUnavailableError' },
    )
    await store.dropGeneration(live.generation, lease)
    t.strictSame(await store.generations(PROJECTION), [])
  })
}
