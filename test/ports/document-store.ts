import type { Test } from 'tap'
import { building } from './document-store/building.js'
import { committing } from './document-store/committing.js'
import { continuing } from './document-store/continuing.js'
import { fencing } from './document-store/fencing.js'
import { generations } from './document-store/generations.js'
import { leases } from './document-store/leases.js'
import type { DocumentStoreSubject } from './document-store/library.js'
import { notes } from './document-store/notes.js'
import { ranges } from './document-store/ranges.js'
import { snapshots } from './document-store/snapshots.js'
import { values } from './document-store/values.js'
import { words } from './document-store/words.js'

/** What every document store promises. */
export async function documentStoreContract(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test(`${subject.name} as document store`, async (t) => {
    await t.test('ranges', (t) => ranges(t, subject))
    await t.test('continuing a range', (t) => continuing(t, subject))
    await t.test('words', (t) => words(t, subject))
    await t.test('values', (t) => values(t, subject))
    await t.test('committing', (t) => committing(t, subject))
    await t.test('fencing', (t) => fencing(t, subject))
    await t.test('building indexes', (t) => building(t, subject))
    await t.test('generations', (t) => generations(t, subject))
    await t.test('snapshots', (t) => snapshots(t, subject))
    await t.test('leases', (t) => leases(t, subject))
    await t.test('notes', (t) => notes(t, subject))
  })
}
