import type { Test } from 'tap'
import type { Note } from '../../../src/ports/document-store.js'
import { opened } from '../subject.js'
import type { DocumentStoreSubject } from './library.js'

const first = (id: string, value: unknown, kind = 'request'): Note => ({ kind, id, revision: 0, value })

export async function notes(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test('are listed by id, per kind, by every handle', async (t) => {
    const { store, another } = await opened(t, subject)
    t.strictSame(await store.notes('request'), [])
    await store.putNote(first('b', { n: 2 }))
    await store.putNote(first('a', { n: 1 }))
    await store.putNote(first('a', 'of another kind', 'decision'))
    for (const handle of [store, await another()]) {
      t.strictSame(await handle.notes('request'), [
        { kind: 'request', id: 'a', revision: 1, value: { n: 1 } },
        { kind: 'request', id: 'b', revision: 1, value: { n: 2 } },
      ])
      t.strictSame(await handle.notes('decision'), [{ kind: 'decision', id: 'a', revision: 1, value: 'of another kind' }])
    }
  })

  await t.test('keep any JSON as it is', async (t) => {
    const { store, reopen } = await opened(t, subject)
    const value = { $set: { 'a.b': [1, 0.1, null, true, ''] }, _id: '😀', __proto: {}, deep: [[{ x: 'é' }]] }
    await store.putNote(first('feed/$odd.id', value))
    t.strictSame(await (await reopen()).notes('request'), [{ kind: 'request', id: 'feed/$odd.id', revision: 1, value }])
  })

  await t.test('are written only over the revision that was read', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const made = await store.putNote(first('a', 1))
    t.strictSame(made, { kind: 'request', id: 'a', revision: 1, value: 1 })
    t.equal(await other.putNote(first('a', 2)), null, 'it is there already')
    if (made === null) return
    const second = await other.putNote({ ...made, value: 2 })
    t.strictSame(second, { kind: 'request', id: 'a', revision: 2, value: 2 })
    t.equal(await store.putNote({ ...made, value: 3 }), null, 'it has changed since')
    t.equal(await store.putNote({ ...made, id: 'never written' }), null)
    t.strictSame(await store.notes('request'), [second])
  })

  await t.test('of many who write at once, one does', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const tries = (revision: number) =>
      Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? store : other).putNote({ ...first('a', i), revision })))
    for (const revision of [0, 1, 2]) {
      const written = (await tries(revision)).filter((note) => note !== null)
      t.equal(written.length, 1)
      t.strictSame(await store.notes('request'), written)
    }
  })

  await t.test('can be dropped, once or twice, and begin anew', async (t) => {
    const { store, another } = await opened(t, subject)
    await store.putNote(first('a', 1))
    await store.putNote(first('b', 1))
    await (await another()).dropNote('request', 'a')
    await store.dropNote('request', 'a')
    t.strictSame(
      (await store.notes('request')).map(({ id }) => id),
      ['b'],
    )
    t.ok(await store.putNote(first('a', 2)))
  })
}
