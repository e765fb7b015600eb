import { setImmediate as turn } from 'node:timers/promises'
import type { Test } from 'tap'
import { opened } from '../subject.js'
import { brief, type EventStoreSubject, event, follow, next } from './events.js'

export async function expiry(t: Test, subject: EventStoreSubject): Promise<void> {
  await t.test('reading and subscribing leave out what is older than the category allows', async (t) => {
    const { store, fresh, another } = await opened(t, subject)
    await store.append('short-old', [event('requested')], 'no stream')
    await store.append('short-1', [event('requested')], 'no stream')
    await store.append('other-1', [event('kept')], 'no stream')
    await fresh.pass(3.5)
    await store.append('short-1', [event('started')], 0)
    t.strictSame(brief(await store.read('short-1')), ['requested@0', 'started@1'], 'not a moment too early')
    await fresh.pass(3.5)

    for (const handle of [store, await another()]) {
      t.strictSame(await handle.read('short-old'), [])
      t.strictSame(brief(await handle.read('short-1')), ['started@1'], 'the others keep their revisions')
      t.strictSame(brief(await next(follow(t, handle, 'short'), 1)), ['started@1'])
      t.strictSame(brief(await handle.read('other-1')), ['kept@0'], 'other categories keep theirs')
    }
    t.equal(await store.append('short-1', [event('completed')], 1), 2, 'and the stream goes on')
    await t.rejects(store.append('short-1', [event('x')], 'no stream'), { name: 'WrongRevisionError', actual: 2 })
  })

  await t.test('a subscription skips expired events and waits', async (t) => {
    const { store, fresh, another } = await opened(t, subject)
    await store.append('brief-1', [event('requested'), event('started')], 'no stream')
    await fresh.pass(2)
    const subscription = follow(t, store, 'brief')
    const first = next(subscription, 1)
    // One that asks again and again instead of waiting would never let this pass.
    await turn()
    await (await another()).append('brief-2', [event('requested')], 'no stream')
    const [seen] = await first
    t.equal(seen?.stream, 'brief-2')
  })

  await t.test('positions never come back, even when everything has expired', async (t) => {
    const { store, fresh, reopen } = await opened(t, subject)
    await store.append('brief-1', [event('requested')], 'no stream')
    const [old] = await next(follow(t, store, 'brief'), 1)
    await fresh.pass(2)
    const again = await reopen()
    await again.append('brief-2', [event('requested')], 'no stream')
    const [seen] = await next(follow(t, again, 'brief', old?.position), 1)
    t.equal(seen?.stream, 'brief-2')
  })
}
