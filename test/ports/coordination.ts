import type { Test } from 'tap'
import { controlRecords } from './coordination/control-records.js'
import { leases } from './coordination/leases.js'
import type { CoordinationSubject } from './coordination/subject.js'

/** What every store promises about leases and control records. */
export async function coordinationContract(t: Test, subject: CoordinationSubject): Promise<void> {
  await t.test('leases', (t) => leases(t, subject))
  await t.test('control records', (t) => controlRecords(t, subject))
}
