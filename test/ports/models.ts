import type { Test } from 'tap'
import type { DocumentStoreSubject } from './library-model.js'
import { building } from './models/building.js'
import { committing } from './models/committing.js'
import { continuing } from './models/continuing.js'
import { fencing } from './models/fencing.js'
import { ranges } from './models/ranges.js'
import { searching } from './models/searching.js'
import { snapshots } from './models/snapshots.js'
import { values } from './models/values.js'

/** What every store promises about documents. */
export async function modelsContract(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test('ranges', (t) => ranges(t, subject))
  await t.test('continuing a range', (t) => continuing(t, subject))
  await t.test('searching', (t) => searching(t, subject))
  await t.test('values', (t) => values(t, subject))
  await t.test('committing', (t) => committing(t, subject))
  await t.test('fencing', (t) => fencing(t, subject))
  await t.test('building indexes', (t) => building(t, subject))
  await t.test('snapshots', (t) => snapshots(t, subject))
}
