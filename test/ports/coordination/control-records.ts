import type { Test } from 'tap'
import type { ControlRecord } from '../../../src/ports/coordination.js'
import { eventually, opened } from '../subject.js'
import type { CoordinationSubject } from './subject.js'

const first = (id: string, value: unknown, kind = 'request'): ControlRecord => ({ kind, id, revision: 0, value })

export async function controlRecords(t: Test, subject: CoordinationSubject): Promise<void> {
  await t.test('are listed by id, per kind, by every handle', async (t) => {
    const { store, another } = await opened(t, subject)
    t.strictSame(await store.controlRecords('request'), [])
    await store.putControlRecord(first('b', { n: 2 }))
    await store.putControlRecord(first('a', { n: 1 }))
    await store.putControlRecord(first('a', 'of another kind', 'decision'))
    for (const handle of [store, await another()]) {
      t.strictSame(await handle.controlRecords('request'), [
        { kind: 'request', id: 'a', revision: 1, value: { n: 1 } },
        { kind: 'request', id: 'b', revision: 1, value: { n: 2 } },
      ])
      t.strictSame(await handle.controlRecords('decision'), [{ kind: 'decision', id: 'a', revision: 1, value: 'of another kind' }])
    }
  })

  await t.test('keep any JSON as it is', async (t) => {
    const { store, reopen } = await opened(t, subject)
    const value = { $set: { 'a.b': [1, 0.1, null, true, ''] }, _id: '😀', __proto: {}, deep: [[{ x: 'é' }]] }
    await store.putControlRecord(first('feed/$odd.id', value))
    t.strictSame(await (await reopen()).controlRecords('request'), [{ kind: 'request', id: 'feed/$odd.id', revision: 1, value }])
  })

  await t.test('are written only over the revision that was read', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const made = await store.putControlRecord(first('a', 1))
    t.strictSame(made, { kind: 'request', id: 'a', revision: 1, value: 1 })
    t.equal(await other.putControlRecord(first('a', 2)), null, 'it is there already')
    if (made === null) return
    const second = await other.putControlRecord({ ...made, value: 2 })
    t.strictSame(second, { kind: 'request', id: 'a', revision: 2, value: 2 })
    t.equal(await store.putControlRecord({ ...made, value: 3 }), null, 'it has changed since')
    t.equal(await store.putControlRecord({ ...made, id: 'never written' }), null)
    t.strictSame(await store.controlRecords('request'), [second])
  })

  await t.test('of many who write at once, one does', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const tries = (revision: number) =>
      Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? store : other).putControlRecord({ ...first('a', i), revision })))
    for (const revision of [0, 1, 2]) {
      const written = (await tries(revision)).filter((record) => record !== null)
      t.equal(written.length, 1)
      t.strictSame(await store.controlRecords('request'), written)
    }
  })

  await t.test('can be deleted, once or twice, and created again', async (t) => {
    const { store, another } = await opened(t, subject)
    await store.putControlRecord(first('a', 1))
    await store.putControlRecord(first('b', 1))
    await (await another()).deleteControlRecord('request', 'a')
    await store.deleteControlRecord('request', 'a')
    t.strictSame(
      (await store.controlRecords('request')).map(({ id }) => id),
      ['b'],
    )
    t.ok(await store.putControlRecord(first('a', 2)))
  })

  await t.test('listeners are notified of a record of another handle, and can see it then', async (t) => {
    const { store, another } = await opened(t, subject)
    const reader = await another()
    let seen = 0
    let looking = Promise.resolve()
    const stop = reader.onControlRecord(() => {
      looking = looking.then(async () => {
        seen = (await reader.controlRecords('request')).length
      })
    })
    await store.putControlRecord({ kind: 'request', id: 'a', revision: 0, value: 1 })
    await eventually(async () => seen === 1)
    stop()
    // It may be called more than once, and must not read after the store is closed.
    await looking
  })
}
