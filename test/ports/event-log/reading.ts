import type { Test } from 'tap'
import { type EventLog, type LogRecord, START } from '../../../src/ports/event-log.js'
import { opened, type Subject } from '../subject.js'
import { at, ids, numbered, record } from './records.js'

export async function reading(t: Test, subject: Subject<EventLog>): Promise<void> {
  await t.test('an empty log has nothing, between positions 1 and 0', async (t) => {
    const { store } = await opened(t, subject)
    t.strictSame(await store.bounds(), { first: 1, last: 0 })
    t.strictSame(await store.read(START, 10), [])
  })

  await t.test('gives records in the order of appending, at positions without holes from 1', async (t) => {
    const { store } = await opened(t, subject)
    await store.append([record('b'), record('a')])
    await store.append([record('c')])
    const records = await store.read(START, 10)
    t.strictSame(ids(records), ['b', 'a', 'c'])
    t.strictSame(
      records.map(({ position }) => position),
      [1, 2, 3],
    )
    t.strictSame(await store.bounds(), { first: 1, last: 3 })
  })

  await t.test('pages: each record once, full pages until the end, nothing after it', async (t) => {
    const { store } = await opened(t, subject)
    await store.append(numbered(1, 7))
    const pages: string[][] = []
    let position = START
    for (;;) {
      const page = await store.read(position, 3)
      pages.push(ids(page))
      const last = page.at(-1)
      if (last === undefined) break
      position = last.position
    }
    t.strictSame(pages, [['e1', 'e2', 'e3'], ['e4', 'e5', 'e6'], ['e7'], []])
    t.strictSame(await store.read(at(99), 3), [])
  })

  await t.test('a page ends at the limit even when the log ends there too', async (t) => {
    const { store } = await opened(t, subject)
    await store.append(numbered(1, 4))
    t.strictSame(ids(await store.read(at(2), 2)), ['e3', 'e4'])
  })

  await t.test('finds the records of a few subjects and of many, also redacted ones', async (t) => {
    const { store, another } = await opened(t, subject)
    const subjectOf = (i: number) => `creation/c${i % 100}`
    await store.append(numbered(1, 3000).map((event, i) => ({ ...event, subject: subjectOf(i) })))
    await store.append([record('odd', { subject: 'creation/a.b *>' }), record('prefix', { subject: 'creation/c1.x' })])
    await store.redact([1, 2, 3002].map((position) => ({ position: at(position), payload: 'removed' })))
    const all = await store.read(START, 5000)
    for (const subjects of [
      ['creation/c1'],
      ['creation/c1', 'creation/c7', 'creation/c1', 'creation/none'],
      ['creation/a.b *>', 'creation/c1.x'],
      Array.from({ length: 90 }, (_, i) => subjectOf(i)),
      ['creation/none'],
      [],
    ]) {
      const found: LogRecord[] = []
      for await (const one of (await another()).readSubjects(subjects)) found.push(one)
      const expected = all.filter((one) => subjects.includes(one.subject))
      t.strictSame(
        found.sort((a, b) => a.position - b.position),
        expected,
        `${subjects.length} subjects, ${expected.length} records`,
      )
    }
  })

  await t.test('finds all records of a subject that has thousands', async (t) => {
    const { store } = await opened(t, subject)
    await store.append(numbered(1, 2500).map((event, i) => ({ ...event, subject: i % 5 === 0 ? 'creation/quiet' : 'creation/busy' })))
    let found = 0
    for await (const _ of store.readSubjects(['creation/busy'])) found += 1
    t.equal(found, 2000)
  })

  await t.test('keeps every character of subject and payload', async (t) => {
    const payloads = [
      '',
      'not JSON at all',
      '{ "spaced" :\t"out",\r\n"twice":1, "twice":2 }\n',
      `quotes ' " \` $where %s ? ; --`,
      'é e\u0301 日本語 😀 \u{10FFFF} \u200b \ufeff',
      JSON.stringify({ nul: '\0', lone: '\ud800' }),
      `"${'long '.repeat(50_000)}"`,
    ]
    const { store, another } = await opened(t, subject)
    await store.append(payloads.map((payload, i) => record(`p${i}`, { payload })))
    const records = await (await another()).read(START, 100)
    t.strictSame(
      records.map(({ payload }) => payload),
      payloads,
    )
    t.strictSame(
      records.map((r) => r.subject),
      payloads.map((_, i) => `creation/p${i}`),
    )
  })

  await t.test('survives a restart', async (t) => {
    const { store, reopen } = await opened(t, subject)
    await store.append(numbered(1, 3))
    const before = await store.read(START, 10)
    const again = await reopen()
    t.strictSame(await again.read(START, 10), before)
    t.strictSame(await again.bounds(), { first: 1, last: 3 })
    t.equal((await again.append([record('e4')])).last, 4)
  })
}
