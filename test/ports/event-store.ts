import type { Test } from 'tap'
import { appending } from './event-store/appending.js'
import { deleting } from './event-store/deleting.js'
import type { EventStoreSubject } from './event-store/events.js'
import { expiry } from './event-store/expiry.js'
import { reading } from './event-store/reading.js'
import { subscribing } from './event-store/subscribing.js'

/** What every event store promises. */
export async function eventStoreContract(t: Test, subject: EventStoreSubject): Promise<void> {
  await t.test(`${subject.name} as event store`, async (t) => {
    await t.test('appending', (t) => appending(t, subject))
    await t.test('reading', (t) => reading(t, subject))
    await t.test('subscribing', (t) => subscribing(t, subject))
    await t.test('deleting', (t) => deleting(t, subject))
    await t.test('expiry', (t) => expiry(t, subject))
  })
}
