import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { START } from '../../../src/ports/event-log.js'
import type { CategoryEvent, EventStore, NewStreamEvent, StreamEvent } from '../../../src/ports/event-store.js'
import type { Fresh, Subject } from '../subject.js'

interface FreshEventStore extends Fresh<EventStore> {
  /** Makes the store's clock go on by so much: by moving it where it can be moved, by waiting where it cannot. */
  pass(seconds: number): Promise<void>
}

/** The seconds after which events of these categories expire in every store of the contract. */
export const BRIEF = { brief: 1, short: 6 }

export type EventStoreSubject = Subject<EventStore, FreshEventStore>

export function event(type: string, data: Record<string, unknown> = {}): NewStreamEvent {
  return { id: randomUUID(), type, data }
}

/** `requested@0`, which is all that most tests care about. */
export const brief = (events: readonly StreamEvent[]): string[] => events.map(({ type, revision }) => `${type}@${revision}`)

/** Subscribes until the end of the test. */
export function follow(t: Test, store: EventStore, category = 'askjob', after = START): AsyncIterator<CategoryEvent> {
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  return store.subscribe(category, after, stop.signal)[Symbol.asyncIterator]()
}

/** The next `count` events of a subscription, which goes on afterwards. */
export async function next(subscription: AsyncIterator<CategoryEvent>, count: number): Promise<CategoryEvent[]> {
  const events: CategoryEvent[] = []
  while (events.length < count) {
    const { value, done } = await subscription.next()
    if (done) throw new Error(`the subscription ended after ${events.length} of ${count} events`)
    events.push(value)
  }
  return events
}
