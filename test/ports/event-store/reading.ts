import type { Test } from 'tap'
import { opened } from '../subject.js'
import { brief, type EventStoreSubject, event } from './events.js'

export async function reading(t: Test, subject: EventStoreSubject): Promise<void> {
  await t.test('a stream that does not exist is empty', async (t) => {
    const { store } = await opened(t, subject)
    t.strictSame(await store.read('askjob-none'), [])
    t.strictSame(await store.read('askjob-none', 5), [])
  })

  await t.test('gives one stream in order, from any revision on', async (t) => {
    const { store } = await opened(t, subject)
    await store.append('askjob-1', [event('a'), event('b')], 'no stream')
    await store.append('askjob-10', [event('x')], 'no stream')
    await store.append('askjob-1', [event('c')], 1)
    t.strictSame(brief(await store.read('askjob-1')), ['a@0', 'b@1', 'c@2'])
    t.strictSame(brief(await store.read('askjob-1', 1)), ['b@1', 'c@2'])
    t.strictSame(await store.read('askjob-1', 3), [])
  })

  await t.test('a read after an append sees it, in every process', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    for (let i = 0; i < 20; i++) {
      await (i % 2 ? store : other).append('askjob-1', [event('e')], i === 0 ? 'no stream' : i - 1)
      t.equal((await (i % 2 ? other : store).read('askjob-1')).length, i + 1)
    }
  })

  await t.test('gives back id, type and data as they were, and when it was recorded', async (t) => {
    const { store, reopen } = await opened(t, subject)
    const data = {
      text: `quotes ' " \\ $where; DROP TABLE events; -- é 日本語 😀 \u{10FFFF} \0 end`,
      numbers: [0, -1.5, 1e300, Number.MAX_SAFE_INTEGER],
      nested: { empty: {}, list: [], nothing: null, yes: true },
      '': 'empty key',
      'a.b': 'dotted key',
      $type: 'dollar key',
      ...JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
      long: 'x'.repeat(100_000),
    }
    const written = [event('ask.requested.v1', data), event("it's odd", {})]
    await store.append('askjob-1', written, 'no stream')
    const read = await (await reopen()).read('askjob-1')
    t.strictSame(
      read.map(({ id, type, stream }) => ({ id, type, stream })),
      written.map(({ id, type }) => ({ id, type, stream: 'askjob-1' })),
    )
    // Compared as text: deep equality looks through an own "__proto__".
    t.equal(JSON.stringify(sorted(read[0]?.data)), JSON.stringify(sorted(data)))
    t.strictSame(read[1]?.data, {})
    t.ok(read.every(({ recordedAt }) => Number.isInteger(recordedAt) && recordedAt > 1_700_000_000_000))
  })

  await t.test('continues after a restart', async (t) => {
    const { store, reopen } = await opened(t, subject)
    const claim = [event('b')]
    await store.append('askjob-1', [event('a')], 'no stream')
    await store.append('askjob-1', claim, 0)
    const again = await reopen()
    t.equal(await again.append('askjob-1', claim, 0), 1, 'a repeat is recognised')
    await t.rejects(again.append('askjob-1', [event('c')], 'no stream'), { name: 'WrongRevisionError', actual: 1 })
    t.equal(await again.append('askjob-1', [event('c')], 1), 2)
    t.strictSame(brief(await again.read('askjob-1')), ['a@0', 'b@1', 'c@2'])
  })
}

/** Stores may give the keys of JSON back in another order. */
function sorted(data: Record<string, unknown> | undefined): [string, unknown][] {
  return Object.entries(data ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
}
