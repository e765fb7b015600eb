import type { Test } from 'tap'
import type { StreamName } from '../../../src/ports/event-store.js'
import { opened } from '../subject.js'
import { brief, type EventStoreSubject, event } from './events.js'

export async function appending(t: Test, subject: EventStoreSubject): Promise<void> {
  await t.test('gives the revision of the last event, counted from 0', async (t) => {
    const { store } = await opened(t, subject)
    t.equal(await store.append('askjob-1', [event('requested')], 'no stream'), 0)
    t.equal(await store.append('askjob-1', [event('started'), event('completed')], 0), 2)
    t.equal(await store.append('askjob-1', [event('expired')], 2), 3)
    t.equal(await store.append('askjob-2', [event('requested')], 'no stream'), 0)
    t.strictSame(brief(await store.read('askjob-1')), ['requested@0', 'started@1', 'completed@2', 'expired@3'])
  })

  await t.test('refuses when the stream does not end where expected, and then appends nothing', async (t) => {
    const { store, another } = await opened(t, subject)
    await t.rejects(store.append('askjob-1', [event('started')], 0), {
      name: 'WrongRevisionError',
      stream: 'askjob-1',
      expected: 0,
      actual: null,
    })
    await store.append('askjob-1', [event('requested'), event('started')], 'no stream')
    for (const handle of [store, await another()]) {
      const refused = { name: 'WrongRevisionError', actual: 1 }
      await t.rejects(handle.append('askjob-1', [event('x'), event('y')], 'no stream'), { ...refused, expected: 'no stream' })
      await t.rejects(handle.append('askjob-1', [event('x')], 0), { ...refused, expected: 0 })
      await t.rejects(handle.append('askjob-1', [event('x')], 2), { ...refused, expected: 2 })
    }
    t.strictSame(brief(await store.read('askjob-1')), ['requested@0', 'started@1'])
  })

  await t.test('refuses to append nothing', async (t) => {
    const { store } = await opened(t, subject)
    await t.rejects(store.append('askjob-1', [], 'no stream'), RangeError)
  })

  await t.test('refuses names that some store could not use', async (t) => {
    const { store } = await opened(t, subject)
    const names: StreamName[] = [
      '-1',
      'askjob-',
      'ask job-1',
      'ask.job-1',
      'askjob-1.2',
      'askjob-*',
      'askjob->',
      'askjob-é',
      '$ce-askjob',
      "askjob-'",
      'askjob-1\n',
    ]
    for (const name of names) {
      await t.rejects(store.append(name, [event('requested')], 'no stream'), { name: 'StreamNameError' }, JSON.stringify(name))
      await t.rejects(store.read(name), { name: 'StreamNameError' }, JSON.stringify(name))
    }
    t.equal(await store.append('ask_Job2-3f-9_c', [event('requested')], 'no stream'), 0)
  })

  await repeating(t, subject)
  await racing(t, subject)
}

async function repeating(t: Test, subject: EventStoreSubject): Promise<void> {
  const first = [event('requested'), event('started')]
  const later = [event('completed'), event('expired')]

  await t.test('a repeat with the same expectation gives the same answer and writes nothing', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    await store.append('askjob-1', first, 'no stream')
    t.equal(await store.append('askjob-1', first, 'no stream'), 1)
    await store.append('askjob-1', later, 1)
    t.equal(await other.append('askjob-1', later, 1), 3, 'from another process')
    t.equal(await store.append('askjob-1', first, 'no stream'), 1, 'even after the stream went on')
    t.strictSame(brief(await store.read('askjob-1')), ['requested@0', 'started@1', 'completed@2', 'expired@3'])
  })

  await t.test('it is no repeat with another expectation, in another order, with more events, or in another stream', async (t) => {
    const { store } = await opened(t, subject)
    await store.append('askjob-1', [event('created')], 'no stream')
    await store.append('askjob-1', first, 0)
    const wrong = { name: 'WrongRevisionError' }
    await t.rejects(store.append('askjob-1', first, 'no stream'), wrong)
    await t.rejects(store.append('askjob-1', first, 1), wrong)
    await t.rejects(store.append('askjob-1', first.toReversed(), 0), wrong)
    await t.rejects(store.append('askjob-1', [...first, event('completed')], 0), wrong)
    await t.rejects(store.append('askjob-1', [...first, ...later, event('x')], 0), wrong)
    await t.rejects(store.append('askjob-2', first, 0), wrong)
    t.strictSame(brief(await store.read('askjob-1')), ['created@0', 'requested@1', 'started@2'])
    t.equal(await store.append('askjob-2', first, 'no stream'), 1)
  })
}

async function racing(t: Test, subject: EventStoreSubject): Promise<void> {
  await t.test('of many that claim the same job at once, exactly one wins', async (t) => {
    const { store, another } = await opened(t, subject)
    const workers = [store, await another(), await another()]
    for (const stream of ['askjob-a', 'askjob-b', 'askjob-c'] as const) {
      await store.append(stream, [event('requested')], 'no stream')
      const claims = Array.from({ length: 12 }, (_, i) => event('started', { worker: i }))
      const results = await Promise.allSettled(claims.map((claim, i) => workers[i % 3]?.append(stream, [claim], 0)))
      const winner = results.findIndex(({ status }) => status === 'fulfilled')
      const losers = results.filter((result) => result.status === 'rejected')
      t.equal(losers.length, 11)
      t.ok(losers.every(({ reason }) => reason.name === 'WrongRevisionError'))
      const events = await store.read(stream)
      t.equal(events.length, 2)
      t.strictSame(events[1]?.data, { worker: winner }, 'and it is the one that was told so')
    }
  })
}
