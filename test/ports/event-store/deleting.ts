import type { Test } from 'tap'
import { opened } from '../subject.js'
import { brief, type EventStoreSubject, event } from './events.js'

export async function deleting(t: Test, subject: EventStoreSubject): Promise<void> {
  await t.test('a deleted stream is gone for every process, and only that one', async (t) => {
    const { store, another, reopen } = await opened(t, subject)
    await store.append('askjob-1', [event('requested')], 'no stream')
    await store.append('askjob-1', [event('started'), event('completed')], 0)
    await store.append('askjob-10', [event('requested')], 'no stream')
    await store.delete('askjob-1')
    for (const open of [async () => store, another, reopen]) {
      const handle = await open()
      t.strictSame(await handle.read('askjob-1'), [])
      t.strictSame(brief(await handle.read('askjob-10')), ['requested@0'])
    }
  })

  await t.test('deleting what is not there, or no longer, is no error', async (t) => {
    const { store } = await opened(t, subject)
    await store.delete('askjob-never')
    await store.append('askjob-1', [event('requested')], 'no stream')
    await store.delete('askjob-1')
    await store.delete('askjob-1')
    t.strictSame(await store.read('askjob-1'), [])
  })
}
