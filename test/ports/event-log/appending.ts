import type { Test } from 'tap'
import { type EventLog, START } from '../../../src/ports/event-log.js'
import { opened, type Subject } from '../subject.js'
import { at, ids, numbered, record } from './records.js'

export async function appending(t: Test, subject: Subject<EventLog>): Promise<void> {
  await t.test('says how many were appended and where the log ends now', async (t) => {
    const { store } = await opened(t, subject)
    t.strictSame(await store.append(numbered(1, 3)), { last: 3, appended: 3, duplicates: 0 })
    t.strictSame(await store.append([record('e4')]), { last: 4, appended: 1, duplicates: 0 })
    t.strictSame(await store.append([]), { last: 4, appended: 0, duplicates: 0 })
  })

  await t.test('leaves out ids it already has; they take no position, and the first one stays', async (t) => {
    const { store, another } = await opened(t, subject)
    await store.append([record('a', { payload: 'first' }), record('b')])
    t.strictSame(await store.append([record('a', { payload: 'second' }), record('c')]), { last: 3, appended: 1, duplicates: 1 })
    t.strictSame(await (await another()).append([record('b'), record('c')]), { last: 3, appended: 0, duplicates: 2 })
    t.strictSame(await store.append([record('d'), record('d')]), { last: 4, appended: 1, duplicates: 1 })
    const records = await store.read(START, 10)
    t.strictSame(ids(records), ['a', 'b', 'c', 'd'])
    t.equal(records[0]?.payload, 'first')
    t.equal(records[3]?.position, 4)
  })

  await t.test('leaves out the id of a recent event of another subject, too, and appends the rest', async (t) => {
    const { store, another } = await opened(t, subject)
    await store.append([record('a')])
    const batch = [record('b'), record('a', { subject: 'creation/other' }), record('c')]
    t.strictSame(await (await another()).append(batch), { last: 3, appended: 2, duplicates: 1 })
    t.strictSame(ids(await store.read(START, 10)), ['a', 'b', 'c'])
  })

  await t.test('refuses when the log no longer ends where expected, and then appends nothing', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    await store.append([record('a')], { expectedLast: START })
    await t.rejects(other.append([record('x')], { expectedLast: START }), { name: 'LogMovedError' })
    await t.rejects(other.append([record('x')], { expectedLast: at(2) }), { name: 'LogMovedError' })
    t.equal((await other.append([record('b'), record('c')], { expectedLast: at(1) })).last, 3)
    t.strictSame(ids(await store.read(START, 10)), ['a', 'b', 'c'])
  })

  await t.test('of two that expect the same end, one wins', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    for (let last = 0; last < 10; last++) {
      const results = await Promise.allSettled([
        store.append([record(`mine${last}`)], { expectedLast: at(last) }),
        other.append([record(`theirs${last}`)], { expectedLast: at(last) }),
      ])
      t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    }
    t.equal((await store.bounds()).last, 10)
  })

  await t.test('from several handles at once every record lands once, each batch in its order', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const batches = Array.from({ length: 20 }, (_, i) => [record(`${i}a`), record(`${i}b`), record(`${i}c`)])
    await Promise.all(batches.flatMap((batch) => [store.append(batch), other.append(batch)]))
    const found = ids(await store.read(START, 1000))
    t.equal(found.length, 60)
    t.strictSame(
      batches.map((batch) => batch.map(({ id }) => id)),
      batches.map((_, i) => found.filter((id) => Number.parseInt(id, 10) === i)),
    )
  })

  await t.test('the time of appending is as given for history, otherwise by the clock', async (t) => {
    const { store } = await opened(t, subject)
    const before = Date.now()
    await store.append([record('old', { appendedAt: 1_600_000_000_123 }), record('new')])
    const after = Date.now()
    const [old, fresh] = await store.read(START, 10)
    t.equal(old?.appendedAt, 1_600_000_000_123)
    const time = fresh?.appendedAt ?? 0
    t.ok(Number.isInteger(time) && time >= before && time <= after, `${time} lies between ${before} and ${after}`)
  })

  await t.test('takes thousands in one go', async (t) => {
    const { store } = await opened(t, subject)
    t.strictSame(await store.append(numbered(1, 5000)), { last: 5000, appended: 5000, duplicates: 0 })
    const records = await store.read(at(2500), 10_000)
    t.equal(records.length, 2500)
    t.ok(records.every(({ id, position }) => id === `e${position}`))
  })
}
