/** How the pages of a write-ahead log get into the file, and how soon those from before an erasure are gone. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { openSqliteStore, type SqliteOptions } from '../../src/adapters/sqlite/document-store.js'
import { WalCheckpointer } from '../../src/adapters/sqlite/write-ahead-log.js'
import type { GenerationStore } from '../../src/ports/document-store.js'
import { book, books, generation, next, openFor, PROJECTION, put, remove, save } from '../ports/library-model.js'
import { eventually } from '../ports/subject.js'
import { thorough } from '../support/tier.js'
import { folderWith, holdsBytes } from './folder.js'

const SECRET = 'Quincewood'
const MB = 1 << 20

for (const options of [{ checkpointInThread: false }, { checkpointInThread: true }] satisfies SqliteOptions[]) {
  await t.test(options.checkpointInThread ? 'with a copier' : 'without a copier', async (t) => {
    await t.test('an erased document leaves the files while they are in use', async (t) => {
      const { folder, live } = await library(t, options)
      t.ok(await holdsBytes(folder, SECRET), 'it was there')
      await erase(live)
      await eventually(async () => !(await holdsBytes(folder, SECRET)))
    })

    await t.test('as soon as the last reader of an old page has finished', async (t) => {
      const { folder, store, live } = await library(t, options)
      const snapshot = await store.snapshot([PROJECTION])
      await erase(live)
      // Several attempts fail.
      for (let i = 0; i < 10; i++) await save(live, put(books, book(`later-${i}`)))
      t.ok(await holdsBytes(folder, SECRET))
      snapshot.release()
      await eventually(async () => !(await holdsBytes(folder, SECRET)))
    })

    await t.test('what a leader could not finish is finished by the next one', async (t) => {
      const { folder, store, live } = await library(t, options)
      const reader = await store.snapshot([PROJECTION])
      await erase(live)
      await live.close()
      reader.release()
      t.ok(await holdsBytes(folder, SECRET), 'a reader held on to it until the writer was gone')
      const again = await openFor(t, store, live.generation)
      await again.fence(2)
      await eventually(async () => !(await holdsBytes(folder, SECRET)))
    })

    await t.test('and so is what was removed from a control record', async (t) => {
      const { folder, store } = await library(t, options)
      const note = await store.putControlRecord({ kind: 'request', id: '1', revision: 0, value: `${SECRET}, noted` })
      const other = openDatabase(join(folder, 'control.db'))
      t.teardown(() => other.close())
      other.exec('BEGIN')
      other.prepare('SELECT 1 FROM notes').get()
      await store.putControlRecord({ kind: 'request', id: '1', revision: note?.revision ?? 0, value: '' })
      await store.close()
      other.exec('COMMIT')
      t.ok(await holdsBytes(folder, `${SECRET}, noted`))
      const next = await openSqliteStore(folder, options)
      t.teardown(() => next.close())
      await next.acquireLease(PROJECTION, 'next', 1000)
      await eventually(async () => !(await holdsBytes(folder, `${SECRET}, noted`)))
    })

    if (!thorough) return
    await t.test('it does not grow without bound', async (t) => {
      const { folder, live } = await library(t, options)
      for (let i = 0; i < 50; i++) {
        // In the document and in the indexes: some 200 MB in all.
        await save(live, put(books, book('hot', { title: String(i).padEnd(MB, 'x') })))
        // As a projector does between its batches.
        await nextTurn()
      }
      t.ok((await sizeOfLog(folder, live)) < 100 * MB)
    })
  })
}

await t.test('with a copier many documents are copied into the file outside of commits and removals', async (t) => {
  const { folder, live } = await library(t, { checkpointInThread: true })
  t.notOk((await readFile(pathOf(folder, live))).includes(SECRET))
  for (let i = 0; i < 20; i++) await save(live, put(books, ...Array.from({ length: 10 }, (_, n) => book(`b${i}-${n}`))))
  await eventually(async () => (await readFile(pathOf(folder, live))).includes(SECRET))
})

await t.test('closing a model leaves no erased bytes', async (t) => {
  const { folder, live } = await library(t, { checkpointInThread: true })
  await erase(live)
  await live.close()
  t.notOk(await holdsBytes(folder, SECRET))
})

await t.test('a copier copies what is there, for every caller, and ends when closed', async (t) => {
  const folder = folderWith()
  const path = join(folder, 'some.db')
  const db = openDatabase(path)
  t.teardown(() => db.close())
  db.exec('CREATE TABLE words (word TEXT)')
  db.prepare('INSERT INTO words VALUES (?)').run(SECRET)
  const copier = new WalCheckpointer()
  const whole = async () => (await readFile(path)).includes(SECRET)
  t.notOk(await whole())
  await Promise.all([copier.checkpoint(path), copier.checkpoint(path)])
  t.ok(await whole())
  db.prepare('INSERT INTO words VALUES (?)').run('Membrillar')
  const last = copier.checkpoint(path)
  await copier.close()
  await last
  t.ok((await readFile(path)).includes('Membrillar'), 'what was asked for before is done')
  await t.resolves(copier.checkpoint(path), 'and what is asked for after it is left undone')
})

await t.test('a copier continues after a file that is no database, and creates nothing', async (t) => {
  const folder = folderWith()
  const copier = new WalCheckpointer()
  t.teardown(() => copier.close())
  await copier.checkpoint(folder)
  await copier.checkpoint(join(folder, 'gone.db'))
  await t.rejects(stat(join(folder, 'gone.db')))
})

await t.test('an unused copier has nothing to close', (t) => t.resolves(new WalCheckpointer().close()))

async function library(t: Test, options: SqliteOptions) {
  const folder = folderWith()
  const store = await openSqliteStore(folder, options)
  t.teardown(() => store.close())
  const live = await generation(t, store)
  await live.buildIndexes()
  await store.promote(live.generation)
  await save(live, put(books, book('b1', { title: SECRET }), book('b2')))
  return { folder, store, live }
}

/** A commit that raises the floor, as that of a removal does. */
async function erase(live: GenerationStore): Promise<void> {
  const from = await live.checkpoint()
  const to = next(from)
  await save(live, remove(books, 'b1'), { to: { ...to, floor: to.position } })
}

async function sizeOfLog(folder: string, live: GenerationStore): Promise<number> {
  const { size } = await stat(`${pathOf(folder, live)}-wal`)
  return size
}

function pathOf(folder: string, { generation: { projection, version, number } }: GenerationStore): string {
  return join(folder, `${projection}_v${version}_g${number}.db`)
}
