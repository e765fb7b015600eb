import type { Test } from 'tap'
import { type EventLog, START } from '../../../src/ports/event-log.js'
import { type Fresh, opened, type Subject } from '../subject.js'
import { at, ids, numbered, record } from './records.js'

interface FreshLog extends Fresh<EventLog> {
  /** Whether these bytes are anywhere in what the log keeps. Left out where only the server could tell. */
  holds?(text: string): Promise<boolean>
}

export type EventLogSubject = Subject<EventLog, FreshLog>

/** Longer than a page of a database, so that it overflows to others. */
const SECRET = 'the name of a person '.repeat(1000)

export async function redacting(t: Test, subject: EventLogSubject): Promise<void> {
  await t.test('replaces payloads, and changes nothing else', async (t) => {
    const { store, another } = await opened(t, subject)
    await store.append(numbered(1, 5))
    const before = await store.read(START, 10)
    await store.redact([
      { position: at(2), payload: 'removed' },
      { position: at(4), payload: '' },
    ])
    const payloads: Record<number, string> = { 2: 'removed', 4: '' }
    const after = before.map((found) => ({ ...found, payload: payloads[found.position] ?? found.payload }))
    for (const handle of [store, await another()]) {
      t.strictSame(await handle.read(START, 10), after)
      t.strictSame(await handle.read(at(1), 1), [after[1]])
      t.strictSame(await handle.bounds(), { first: 1, last: 5 })
    }
  })

  await t.test('also the first and the last record; later records follow as before', async (t) => {
    const { store, reopen } = await opened(t, subject)
    await store.append(numbered(1, 3))
    await store.redact([1, 2, 3].map((position) => ({ position: at(position), payload: `was ${position}` })))
    const again = await reopen()
    t.strictSame(await again.bounds(), { first: 1, last: 3 })
    t.equal((await again.append([record('e4')])).last, 4)
    t.strictSame(
      (await again.read(START, 10)).map(({ payload }) => payload),
      ['was 1', 'was 2', 'was 3', record('e4').payload],
    )
  })

  await t.test('a redacted event cannot be published once more', async (t) => {
    const { store } = await opened(t, subject)
    await store.append(numbered(1, 2))
    await store.redact([{ position: at(1), payload: 'removed' }])
    t.strictSame(await store.append([record('e1')]), { last: 2, appended: 0, duplicates: 1 })
    t.equal((await store.read(START, 1))[0]?.payload, 'removed')
  })

  await t.test('repeated, empty and unknown positions are harmless', async (t) => {
    const { store } = await opened(t, subject)
    await store.append(numbered(1, 2))
    await store.redact([])
    await store.redact([{ position: at(1), payload: 'one' }])
    await store.redact([
      { position: at(1), payload: 'two' },
      { position: at(9), payload: 'nine' },
    ])
    const records = await store.read(START, 10)
    t.strictSame(ids(records), ['e1', 'e2'])
    t.equal(records[0]?.payload, 'two')
    t.equal((await store.append([record('e3')])).last, 3)
  })

  // Who meets whom is a matter of chance: a few times over.
  for (let round = 1; round <= 5; round++)
    await t.test(`while others read and append, ${round}`, async (t) => {
      const { store, another } = await opened(t, subject)
      const other = await another()
      await store.append(numbered(1, 200))
      const positions = Array.from({ length: 100 }, (_, i) => at(2 * i + 1))
      const [pages] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, () => other.read(START, 200))),
        store.redact(positions.map((position) => ({ position, payload: 'removed' }))),
        other.append(numbered(201, 210)),
      ])
      for (const page of pages) t.strictSame(ids(page).length, 200, 'a page is never short of what is replaced')
      const redacted = (await other.read(START, 1000)).filter(({ payload }) => payload === 'removed')
      t.strictSame(
        redacted.map(({ position }) => position),
        positions,
      )
      t.equal((await other.bounds()).last, 210)
    })

  await t.test('leaves no byte of the old payload', async (t) => {
    const { store, fresh, another } = await opened(t, subject)
    await store.append([record('e1', { payload: SECRET }), record('e2', { payload: `short ${SECRET.slice(0, 21)}` }), record('e3')])
    // A handle that has read the old payload must not keep it alive either.
    const other = await another()
    await other.read(START, 10)
    t.ok(fresh.holds === undefined || (await fresh.holds(SECRET.slice(0, 20))))
    await store.redact([
      { position: at(1), payload: 'removed' },
      { position: at(2), payload: 'removed' },
    ])
    t.notOk(await fresh.holds?.(SECRET.slice(0, 20)))
    await other.append(numbered(4, 50))
    t.notOk(await fresh.holds?.(SECRET.slice(0, 20)))
    t.strictSame(ids(await other.read(START, 3)), ['e1', 'e2', 'e3'])
  })
}
