import { setImmediate as turn } from 'node:timers/promises'
import type { Test } from 'tap'
import { START } from '../../../src/events/ids.js'
import type { EventLog } from '../../../src/ports/event-log.js'
import { opened, type Subject } from '../subject.js'
import { at, record } from './records.js'

export async function waiting(t: Test, subject: Subject<EventLog>): Promise<void> {
  const never = new AbortController().signal

  await t.test('does not wait for what is already there', async (t) => {
    const { store } = await opened(t, subject)
    await store.append([record('a')])
    await store.waitPast(START, never)
  })

  await t.test('wakes by an append of its own handle, at the first position that is past', async (t) => {
    const { store } = await opened(t, subject)
    const watch = pending(store.waitPast(at(1), never))
    await store.append([record('a')])
    await turn()
    t.equal(watch.settled, false, 'position 1 is not past position 1')
    await store.append([record('b')])
    await watch.promise
    t.equal((await store.bounds()).last, 2)
  })

  await t.test('wakes all who wait by an append of another handle', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const watch = [pending(store.waitPast(START, never)), pending(store.waitPast(START, never))]
    await turn()
    t.ok(watch.every(({ settled }) => !settled))
    await other.append([record('a')])
    await Promise.all(watch.map(({ promise }) => promise))
    t.equal((await store.read(START, 10)).length, 1, 'whoever was woken can read it')
  })

  await t.test('follows another handle through many small appends without missing one', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    let position = START
    for (let i = 1; i <= 50; i++) {
      const [, page] = await Promise.all([
        other.append([record(`e${i}`)]),
        store.waitPast(position, never).then(() => store.read(position, 10)),
      ])
      t.strictSame(
        page.map(({ id }) => id),
        [`e${i}`],
      )
      position = at(i)
    }
  })

  await t.test('settles, without an error, when told to stop', async (t) => {
    const { store } = await opened(t, subject)
    const stop = new AbortController()
    const watch = store.waitPast(START, stop.signal)
    stop.abort()
    await watch
    await store.waitPast(START, stop.signal)
    t.equal((await store.bounds()).last, 0)
  })

  await t.test('one who stops does not stop the others', async (t) => {
    const { store, another } = await opened(t, subject)
    const stop = new AbortController()
    const leaving = store.waitPast(START, stop.signal)
    const staying = pending(store.waitPast(START, never))
    stop.abort()
    await leaving
    await turn()
    t.equal(staying.settled, false)
    await (await another()).append([record('a')])
    await staying.promise
  })
}

function pending(promise: Promise<void>): { promise: Promise<void>; readonly settled: boolean } {
  let settled = false
  const watched = promise.finally(() => {
    settled = true
  })
  return {
    promise: watched,
    get settled() {
      return settled
    },
  }
}
