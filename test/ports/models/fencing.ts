import type { Test } from 'tap'
import type { Checkpoint } from '../../../src/ports/document-store.js'
import type { Position } from '../../../src/ports/event-log.js'
import {
  book,
  books,
  type DocumentStoreSubject,
  generation,
  next,
  openFor,
  openLibrary,
  put,
  reading,
  save,
  writesOf,
} from '../library-model.js'
import { opened } from '../subject.js'

const FENCED = { name: 'FencedError' }

export async function fencing(t: Test, subject: DocumentStoreSubject): Promise<void> {
  const ids = { index: '_id', equals: [], limit: 9 }

  await t.test('a new generation begins before everything, and fencing gives its checkpoint with the new epoch', async (t) => {
    const { store } = await opened(t, subject)
    const target = await generation(t, store)
    const begin: Checkpoint = { position: 0 as Position, eventId: null, slice: null, epoch: 1, tallies: {}, floor: 0 as Position }
    t.strictSame(await target.checkpoint(), begin)
    t.strictSame(await target.fence(7), { ...begin, epoch: 7 })
    t.strictSame(await target.checkpoint(), { ...begin, epoch: 7 })
  })

  await t.test('an old leader cannot write once a new one has fenced, nor fence again', async (t) => {
    const { live: old, another } = await openLibrary(t, subject, put(books, book('a')))
    const left = await old.checkpoint()
    const young = await openFor(t, await another(), old.generation)
    t.strictSame(await young.fence(2), { ...left, epoch: 2 })
    await t.rejects(old.commit({ from: left, to: next(left), writes: await writesOf(old, put(books, book('old'))) }), FENCED)
    await t.rejects(old.fence(1), FENCED)
    t.strictSame(await young.checkpoint(), { ...left, epoch: 2 })
    await save(young, put(books, book('young')))
    await t.rejects(old.commit({ from: left, to: next(left), writes: [] }), FENCED)
    t.strictSame(await old.ids(books, ids), ['a', 'young'])
  })

  await t.test('a commit from another place than the stored one is refused and leaves nothing', async (t) => {
    const { live, store } = await openLibrary(t, subject, put(books, book('a')))
    const at = await save(live, [], { to: next(await live.checkpoint(), { slice: { step: 1, afterId: 'm' } }) })
    const elsewhere: Partial<Checkpoint>[] = [
      { position: 0 as Position },
      { position: (at.position + 1) as Position },
      { epoch: 0 },
      { epoch: 2 },
      { slice: null },
      { slice: { step: 2, afterId: 'm' } },
      { slice: { step: 1, afterId: 'n' } },
      { slice: { step: 1, afterId: null } },
    ]
    for (const over of elsewhere) {
      const commit = live.commit({ from: { ...at, ...over }, to: next(at), writes: await writesOf(live, put(books, book('x'))) })
      await t.rejects(commit, FENCED, JSON.stringify(over))
    }
    t.strictSame(await live.checkpoint(), at)
    t.strictSame(await reading(store, (reads) => reads.ids(books, ids)), ['a'])
    await live.commit({ from: at, to: next(at), writes: await writesOf(live, put(books, book('x'))) })
    t.strictSame(await live.ids(books, ids), ['a', 'x'])
  })

  await t.test('slices of one position follow each other', async (t) => {
    const { live } = await openLibrary(t, subject)
    for (const slice of [
      { step: 0, afterId: null },
      { step: 0, afterId: 'a' },
      { step: 1, afterId: null },
    ]) {
      const from = await live.checkpoint()
      await live.commit({ from, to: { ...from, slice }, writes: [] })
      t.strictSame((await live.checkpoint()).slice, slice)
      await t.rejects(live.commit({ from, to: { ...from, slice }, writes: [] }), FENCED)
    }
  })

  await t.test('repeating a commit whose answer got lost writes nothing twice', async (t) => {
    const { live } = await openLibrary(t, subject, put(books, book('a')))
    const from = await live.checkpoint()
    const commit = { from, to: next(from), writes: await writesOf(live, put(books, book('b'))) }
    await live.commit(commit)
    await t.rejects(live.commit(commit), FENCED)
    t.strictSame(await live.checkpoint(), commit.to, 'the checkpoint tells that it had worked')
  })

  await t.test('of two that commit from the same place at once, one wins and the other is fenced', async (t) => {
    const { live, another } = await openLibrary(t, subject)
    const other = await openFor(t, await another(), live.generation)
    for (let round = 0; round < 2; round++) {
      const from = await live.checkpoint()
      const commits = [live, other].map((target, i) =>
        target.commit({
          from,
          to: next(from),
          writes: [{ collection: books, id: `${round}-${i}`, before: undefined, after: book(`${round}-${i}`) }],
        }),
      )
      const results = await Promise.allSettled(commits)
      const refused = results.filter((result) => result.status === 'rejected')
      t.strictSame(
        refused.map(({ reason }) => reason.name),
        ['FencedError'],
      )
      const winner = results.findIndex(({ status }) => status === 'fulfilled')
      t.strictSame(await live.ids(books, { index: '_id', equals: [], startsWith: `${round}-`, limit: 9 }), [`${round}-${winner}`])
    }
  })

  await t.test('generations are fenced apart', async (t) => {
    const { live, store } = await openLibrary(t, subject, put(books, book('a')))
    const rebuilt = await generation(t, store)
    await rebuilt.fence(9)
    await save(live, put(books, book('b')))
    t.equal((await live.checkpoint()).epoch, 1)
    t.strictSame(await rebuilt.ids(books, ids), [])
  })

  await t.test('the whole checkpoint survives a restart', async (t) => {
    const { store, reopen } = await opened(t, subject)
    const target = await generation(t, store)
    const to: Checkpoint = {
      position: 9_007_199_254_740_991 as Position,
      eventId: `e"'😀`,
      slice: { step: 3, afterId: 'creation/é' },
      epoch: 1,
      tallies: { applied: 12, 'creation.liked': 3, __skipped: 0, '$odd.key': 1 },
      floor: 41 as Position,
    }
    await save(target, put(books, book('a')), { to })
    const again = await openFor(t, await reopen(), target.generation)
    t.strictSame(await again.checkpoint(), to)
    t.strictSame(await again.fence(4), { ...to, epoch: 4 })
    t.strictSame(await again.get(books, ['a']), [book('a')])
  })
}
