import { setImmediate as turn } from 'node:timers/promises'
import type { Test } from 'tap'
import { type EventLog, type LogRecord, START } from '../../../src/ports/event-log.js'
import { opened, type Subject } from '../subject.js'
import { at, record } from './records.js'

export async function waiting(t: Test, subject: Subject<EventLog>): Promise<void> {
  const never = new AbortController().signal

  await t.test('does not wait for what is already there', async (t) => {
    const { store } = await opened(t, subject)
    await store.append([record('a'), record('b'), record('c')])
    t.strictSame(ids(await store.next(at(1), 10, never)), ['b', 'c'])
    t.strictSame(ids(await store.next(START, 2, never)), ['a', 'b'], 'and gives no more than asked for')
  })

  await t.test('wakes by an append of its own handle, at the first position that is past', async (t) => {
    const { store } = await opened(t, subject)
    const watch = pending(store.next(at(1), 10, never))
    await store.append([record('a')])
    await turn()
    t.equal(watch.settled, false, 'position 1 is not past position 1')
    await store.append([record('b')])
    t.strictSame(ids(await watch.promise), ['b'])
  })

  await t.test('wakes all who wait by an append of another handle', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const watch = [pending(store.next(START, 10, never)), pending(store.next(START, 10, never))]
    await turn()
    t.ok(watch.every(({ settled }) => !settled))
    await other.append([record('a')])
    for (const { promise } of watch) t.strictSame(ids(await promise), ['a'])
    t.equal((await store.read(START, 10)).length, 1, 'the woken reader can read it')
  })

  await t.test('follows another handle through many small appends without missing one', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    let position = START
    for (let i = 1; i <= 50; i++) {
      const [, news] = await Promise.all([other.append([record(`e${i}`)]), store.next(position, 10, never)])
      t.strictSame(ids(news), [`e${i}`])
      position = at(i)
    }
  })

  await t.test('settles, without an error, when told to stop', async (t) => {
    const { store } = await opened(t, subject)
    const stop = new AbortController()
    const watch = store.next(START, 10, stop.signal)
    stop.abort()
    t.strictSame(await watch, [])
    t.strictSame(await store.next(START, 10, stop.signal), [])
    t.equal((await store.bounds()).last, 0)
  })

  await t.test('one who stops does not stop the others', async (t) => {
    const { store, another } = await opened(t, subject)
    const stop = new AbortController()
    const leaving = store.next(START, 10, stop.signal)
    const staying = pending(store.next(START, 10, never))
    stop.abort()
    await leaving
    await turn()
    t.equal(staying.settled, false)
    await (await another()).append([record('a')])
    await staying.promise
  })
}

const ids = (records: readonly LogRecord[]): string[] => records.map(({ id }) => id)

function pending<T>(promise: Promise<T>): { promise: Promise<T>; readonly settled: boolean } {
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
