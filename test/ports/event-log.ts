import type { Test } from 'tap'
import { appending } from './event-log/appending.js'
import { reading } from './event-log/reading.js'
import { type EventLogSubject, redacting } from './event-log/redacting.js'
import { waiting } from './event-log/waiting.js'

/** What every event log promises. */
export async function eventLogContract(t: Test, subject: EventLogSubject): Promise<void> {
  await t.test(`${subject.name} as event log`, async (t) => {
    await t.test('reading', (t) => reading(t, subject))
    await t.test('appending', (t) => appending(t, subject))
    await t.test('waiting', (t) => waiting(t, subject))
    await t.test('redacting', (t) => redacting(t, subject))
  })
}
