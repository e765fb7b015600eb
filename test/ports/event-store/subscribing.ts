import type { Test } from 'tap'
import { START } from '../../../src/ports/event-log.js'
import type { CategoryEvent } from '../../../src/ports/event-store.js'
import { opened } from '../subject.js'
import { type EventStoreSubject, event, follow, next } from './events.js'

export async function subscribing(t: Test, subject: EventStoreSubject): Promise<void> {
  const told = (events: readonly CategoryEvent[]) => events.map(({ stream, type }) => `${stream} ${type}`)

  await t.test('catches up with what is there, then follows live, from its own and from another handle', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    await store.append('askjob-1', [event('requested'), event('started')], 'no stream')
    await store.append('askjob-2', [event('requested')], 'no stream')
    await store.append('askjob-1', [event('completed')], 1)
    const subscription = follow(t, store)
    t.strictSame(told(await next(subscription, 4)), ['askjob-1 requested', 'askjob-1 started', 'askjob-2 requested', 'askjob-1 completed'])

    const live = next(subscription, 3)
    await other.append('askjob-3', [event('requested')], 'no stream')
    await store.append('askjob-2', [event('started')], 0)
    await other.append('askjob-2', [event('completed')], 1)
    t.strictSame(told(await live), ['askjob-3 requested', 'askjob-2 started', 'askjob-2 completed'])
  })

  await t.test('waits for the first event of an empty category', async (t) => {
    const { store, another } = await opened(t, subject)
    const first = next(follow(t, store), 1)
    await (await another()).append('askjob-1', [event('requested')], 'no stream')
    t.strictSame(told(await first), ['askjob-1 requested'])
  })

  await t.test('gives the same event as reading does, with a position that grows', async (t) => {
    const { store } = await opened(t, subject)
    await store.append('askjob-1', [event('requested', { question: 'why?' }), event('started', { worker: 1 })], 'no stream')
    await store.append('askjob-1', [event('completed')], 1)
    const events = await next(follow(t, store), 3)
    t.strictSame(
      events.map(({ position: _, ...rest }) => rest),
      await store.read('askjob-1'),
    )
    t.ok((events[0]?.position ?? 0) > START)
    t.ok(isGrowing(events))
  })

  await t.test('leaves other categories out, also those that begin with the same letters', async (t) => {
    const { store } = await opened(t, subject)
    await store.append('askjobs-1', [event('other')], 'no stream')
    await store.append('ask-job-1', [event('other')], 'no stream')
    await store.append('askjob-1-2', [event('requested')], 'no stream')
    await store.append('askjo-1', [event('other')], 'no stream')
    await store.append('askjob-2', [event('requested')], 'no stream')
    t.strictSame(told(await next(follow(t, store), 2)), ['askjob-1-2 requested', 'askjob-2 requested'])
    t.strictSame(told(await next(follow(t, store, 'ask'), 1)), ['ask-job-1 other'])
  })

  await t.test('begins right behind any position it has given, also in the middle of one append', async (t) => {
    const { store, reopen } = await opened(t, subject)
    for (let i = 0; i < 4; i++) await store.append(`askjob-${i}`, [event('a'), event('b'), event('c')], 'no stream')
    const all = await next(follow(t, store), 12)
    const again = await reopen()
    for (const [i, { position }] of all.slice(0, -1).entries()) {
      t.strictSame(await next(follow(t, again, 'askjob', position), 11 - i), all.slice(i + 1))
    }
    const live = next(follow(t, again, 'askjob', all.at(-1)?.position), 1)
    await again.append('askjob-9', [event('d')], 'no stream')
    t.strictSame(told(await live), ['askjob-9 d'])
  })

  await t.test('misses nothing, repeats nothing and keeps the order while several handles write', async (t) => {
    const { store, another } = await opened(t, subject)
    const writers = [store, await another(), await another()]
    const early = next(follow(t, store), 900)
    const written = Promise.all(
      writers.map(async (writer, w) => {
        for (let i = 0; i < 100; i++) {
          await writer.append(`askjob-${w}`, [event('a'), event('b'), event('c')], i === 0 ? 'no stream' : i * 3 - 1)
        }
      }),
    )
    const seen = await early
    await written
    t.ok(isGrowing(seen))
    for (const w of writers.keys()) {
      t.strictSame(
        seen.filter(({ stream }) => stream === `askjob-${w}`).map(({ revision }) => revision),
        Array.from({ length: 300 }, (_, i) => i),
      )
    }
    t.strictSame(await next(follow(t, writers[1] ?? store), 900), seen, 'a later subscriber sees the same order')
  })

  await t.test('ends when told to: before the first event, while catching up, while waiting', async (t) => {
    const { store } = await opened(t, subject)
    await store.append('askjob-1', [event('a'), event('b')], 'no stream')
    const stopped = AbortSignal.abort()
    for await (const { type } of store.subscribe('askjob', START, stopped)) t.fail(`there should be no ${type}`)

    const stop = new AbortController()
    const types: string[] = []
    for await (const { type } of store.subscribe('askjob', START, stop.signal)) {
      types.push(type)
      stop.abort()
    }
    t.strictSame(types, ['a'])

    const stopWaiting = new AbortController()
    const subscription = store.subscribe('askjob', START, stopWaiting.signal)[Symbol.asyncIterator]()
    await next(subscription, 2)
    const waiting = subscription.next()
    stopWaiting.abort()
    t.equal((await waiting).done, true)
  })

  await t.test('can be left in the middle, and ends when the store is closed', async (t) => {
    const { store, another, close } = await opened(t, subject)
    const other = await another()
    await store.append('askjob-1', [event('a'), event('b')], 'no stream')
    for await (const { type } of store.subscribe('askjob', START, new AbortController().signal)) {
      t.equal(type, 'a')
      break
    }
    const subscription = other.subscribe('askjob', START, new AbortController().signal)[Symbol.asyncIterator]()
    await next(subscription, 2)
    const waiting = subscription.next()
    await close(other)
    t.equal((await waiting).done, true)
  })
}

function isGrowing(events: readonly CategoryEvent[]): boolean {
  return events.every(({ position }, i) => i === 0 || position > (events[i - 1]?.position ?? 0))
}
