import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import type { DocumentStore } from '../../../src/ports/document-store.js'
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
  remove,
  save,
} from '../library-model.js'
import { opened } from '../subject.js'

export async function snapshots(t: Test, subject: DocumentStoreSubject): Promise<void> {
  const all = { index: '_id', equals: [], limit: 9 }

  await t.test('there is none of a projection that has never gone live', async (t) => {
    const { store } = await opened(t, subject)
    const unavailable = { name: 'ModelUnavailableError', projection: PROJECTION }
    await t.rejects(store.snapshot([PROJECTION]), unavailable)
    await generation(t, store)
    await t.rejects(store.snapshot([PROJECTION]), unavailable, 'while it is loading')
    const { store: other } = await openLibrary(t, subject)
    await t.rejects(other.snapshot([PROJECTION, 'museum']), { name: 'ModelUnavailableError', projection: 'museum' })
  })

  await t.test('an open one does not see later commits, nor their checkpoint; a new one does', async (t) => {
    const { store, live, another } = await openLibrary(t, subject, put(books, book('a', { price: 1 }), book('b', { price: 2 })))
    const handles = [store, await another()]
    const checkpoint = await live.checkpoint()
    const open = await Promise.all(handles.map((handle) => handle.snapshot([PROJECTION])))
    const later = await save(live, [...put(books, book('a', { price: 3 }), book('c')), ...remove(books, 'b')])
    for (const snapshot of open) {
      const model = snapshot.model(PROJECTION)
      t.strictSame(model.checkpoint, checkpoint)
      t.strictSame(await model.ids(books, { index: 'price', equals: [], limit: 9 }), ['a', 'b'])
      t.strictSame(
        (await model.get(books, ['a', 'b', 'c'])).map((doc) => doc?.price),
        [1, 2, undefined],
      )
      t.equal(await model.count(books, { index: 'shelf', equals: ['fiction'] }), 2)
      snapshot.release()
    }
    for (const handle of handles) {
      const snapshot = await handle.snapshot([PROJECTION])
      t.strictSame(snapshot.model(PROJECTION).checkpoint, later)
      t.strictSame(await snapshot.model(PROJECTION).ids(books, { index: 'price', equals: [], limit: 9 }), ['a', 'c'])
      snapshot.release()
    }
  })

  await t.test('it tells which documents are tombstones', async (t) => {
    const ids = Array.from({ length: 30 }, (_, i) => `b${i}`)
    const removed = [...ids.filter((_, i) => i % 3 === 0), `it's "x"`]
    const all = [...removed.map((id) => book(id, { removed: true })), book('b1', { removed: false }), book('b2')]
    const { store } = await openLibrary(t, subject, put(books, ...all))
    const among = async (wanted: readonly string[]) => {
      const snapshot = await store.snapshot([PROJECTION])
      const found = await snapshot.model(PROJECTION).removedAmong(books, wanted)
      snapshot.release()
      return found.sort()
    }
    t.strictSame(await among([...ids, `it's "x"`, 'nowhere', '\ud800']), removed.toSorted())
    t.strictSame(await among(['b1', 'b2']), [])
    t.strictSame(await among([]), [])
  })

  await t.test('the latest invalidation log is included if it is asked for', async (t) => {
    const { store, live, another } = await openLibrary(t, subject, put(books, book('a')))
    const handles = [store, await another()]
    const invalidationLogs = () =>
      Promise.all(
        handles.flatMap((handle) =>
          [{}, { invalidationLogs: true }].map(async (options) => {
            const snapshot = await handle.snapshot([PROJECTION], options)
            const { invalidationLog } = snapshot.model(PROJECTION)
            snapshot.release()
            return invalidationLog
          }),
        ),
      )
    t.strictSame(await invalidationLogs(), [null, null, null, null])
    const from = await live.checkpoint()
    const to = { ...from, position: (from.position + 1) as typeof from.position }
    await live.commit({ from, to, writes: [{ collection: books, id: 'b', before: undefined, after: book('b') }], invalidationLog: 'to b' })
    t.strictSame(await invalidationLogs(), [null, 'to b', null, 'to b'])
    await save(live, put(books, book('c')))
    t.strictSame(await invalidationLogs(), [null, 'to b', null, 'to b'], 'a commit without one leaves it')
  })

  await t.test('an open snapshot keeps its generation through a switch-over; a new one has the other', async (t) => {
    const { store, live, another } = await openLibrary(t, subject, put(books, book('old')))
    const open = await store.snapshot([PROJECTION])
    const rebuilt = await generation(t, store)
    await save(rebuilt, put(books, book('new')))
    await save(rebuilt, put(books, book('newer')))
    await rebuilt.buildIndexes()
    await (await another()).promote(rebuilt.generation)
    await save(live, put(books, book('too late')))

    const old = open.model(PROJECTION)
    t.equal(old.generation.number, live.generation.number)
    t.equal(old.checkpoint.position, 1)
    t.strictSame(await old.ids(books, all), ['old'])
    const after = await store.snapshot([PROJECTION])
    t.equal(after.model(PROJECTION).generation.number, rebuilt.generation.number)
    t.equal(after.model(PROJECTION).checkpoint.position, 2)
    t.strictSame(await after.model(PROJECTION).ids(books, all), ['new', 'newer'])
    t.strictSame(await old.ids(books, all), ['old'], 'both side by side')
    open.release()
    after.release()
  })

  await t.test('one may span several projections, and gives only those', async (t) => {
    const { store } = await openLibrary(t, subject, put(books, book('a')))
    const museum = await openFor(t, store, await store.createGeneration('museum', 1, collections))
    await museum.fence(1)
    await save(museum, put(books, book('m')))
    await museum.buildIndexes()
    await store.promote(museum.generation)
    const snapshot = await store.snapshot([PROJECTION, 'museum'])
    t.strictSame(await snapshot.model(PROJECTION).ids(books, all), ['a'])
    t.strictSame(await snapshot.model('museum').ids(books, all), ['m'])
    t.throws(() => snapshot.model('zoo'))
    snapshot.release()
  })

  await t.test('many may be open at once, and be released in any order, twice without harm', async (t) => {
    const { store, live } = await openLibrary(t, subject, put(books, book('0')))
    const open = [await store.snapshot([PROJECTION])]
    for (let i = 1; i <= 20; i++) {
      await save(live, put(books, book(`${i}`)))
      open.push(await store.snapshot([PROJECTION]))
    }
    const counts = await Promise.all(open.map((snapshot) => snapshot.model(PROJECTION).count(books, { index: '_id', equals: [] })))
    t.strictSame(
      counts,
      open.map((_, i) => i + 1),
    )
    for (const snapshot of open.toReversed()) snapshot.release()
    for (const snapshot of open) snapshot.release()
    t.equal(await reading(store, (reads) => reads.count(books, { index: '_id', equals: [] })), 21)
  })

  await t.test('one answers many queries at once, without a warning', async (t) => {
    const { store } = await openLibrary(t, subject, put(books, book('a'), book('b')))
    const warnings: Error[] = []
    const warned = (warning: Error) => warnings.push(warning)
    process.on('warning', warned)
    t.teardown(() => process.off('warning', warned))
    const ids = await reading(store, (reads) =>
      Promise.all(Array.from({ length: 20 }, () => reads.ids(books, { index: 'shelf', equals: ['fiction'], limit: 9 }))),
    )
    for (const found of ids) t.strictSame(found, ['a', 'b'])
    // Warnings are told in the next tick.
    await nextTurn()
    t.strictSame(warnings, [])
  })

  await t.test('a reader never sees half a commit', async (t) => {
    const { live, another } = await openLibrary(t, subject, put(books, book('left', { price: 0 }), book('right', { price: 0 })))
    const reader = await another()
    let writing = true
    const writer = (async () => {
      for (let price = 1; price <= 60; price++) await save(live, put(books, book('left', { price }), book('right', { price })))
      writing = false
    })()
    const torn: unknown[] = []
    while (writing) {
      const snapshot = await reader.snapshot([PROJECTION])
      const model = snapshot.model(PROJECTION)
      const [left] = await model.get(books, ['left'])
      await reader.generations(PROJECTION)
      const [right] = await model.get(books, ['right'])
      const indexed = await model.count(books, { index: 'price', equals: [left?.price ?? -1] })
      if (left?.price !== right?.price || left?.price !== model.checkpoint.position - 1 || indexed !== 2)
        torn.push([left, right, indexed, model.checkpoint])
      snapshot.release()
    }
    await writer
    t.strictSame(torn, [])
  })

  await notices(t, subject)
}

async function notices(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test('listeners are notified of a commit and of a switch-over by another handle, and can see it then', async (t) => {
    const { store, another, live } = await openLibrary(t, subject, put(books, book('a')))
    const reader = await another()
    const committed = until(t, reader, async () => (await reading(reader, (reads) => reads.get(books, ['b'])))[0] !== undefined)
    await save(live, put(books, book('b')))
    await committed

    const rebuilt = await generation(t, store)
    await rebuilt.buildIndexes()
    const switched = until(
      t,
      reader,
      async () => (await reading(reader, (reads) => reads.count(books, { index: '_id', equals: [] }))) === 0,
    )
    await store.promote(rebuilt.generation)
    await switched
  })

  await t.test('listeners are notified of a control record of another handle, and can see it then', async (t) => {
    const { store, another } = await opened(t, subject)
    const reader = await another()
    const noted = until(t, reader, async () => (await reader.controlRecords('request')).length > 0)
    await store.putControlRecord({ kind: 'request', id: 'a', revision: 0, value: 1 })
    await noted
  })

  await t.test('listeners are notified of changes by their own handle too, and of none once they have stopped', async (t) => {
    const { store, live } = await openLibrary(t, subject, put(books, book('a')))
    let heard = 0
    const stop = store.onChange(() => {
      heard += 1
    })
    const other = until(t, store, async () => heard > 0)
    await save(live, put(books, book('b')))
    await other
    stop()
    stop()
    heard = 0
    const again = until(t, store, async () => (await reading(store, (reads) => reads.get(books, ['c'])))[0] !== undefined)
    await save(live, put(books, book('c')))
    await again
    t.equal(heard, 0)
  })
}

/** Looks at every notice, and never without one. */
async function until(t: Test, store: DocumentStore, condition: () => Promise<boolean>): Promise<void> {
  const changes = new EventTarget()
  let heard = 0
  const stop = store.onChange(() => {
    heard += 1
    changes.dispatchEvent(new Event('change'))
  })
  // Listening alone does not keep a process alive, and need not.
  const alive = setInterval(() => {}, 1000)
  const end = () => {
    stop()
    clearInterval(alive)
  }
  t.teardown(end)
  let seen = 0
  do {
    // A change that comes while the condition is looked at counts as well.
    if (heard === seen) await once(changes, 'change')
    seen = heard
  } while (!(await condition()))
  end()
}
