import type { Test } from 'tap'
import type { EventLog } from '../../src/ports/event-log.js'
import { appending } from './event-log/appending.js'
import { reading } from './event-log/reading.js'
import { waiting } from './event-log/waiting.js'
import type { Subject } from './subject.js'

/** What every event log promises. */
export async function eventLogContract(t: Test, subject: Subject<EventLog>): Promise<void> {
  await t.test(`${subject.name} as event log`, async (t) => {
    await t.test('reading', (t) => reading(t, subject))
    await t.test('appending', (t) => appending(t, subject))
    await t.test('waiting', (t) => waiting(t, subject))
  })
}
