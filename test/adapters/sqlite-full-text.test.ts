import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { collections, generation, PROJECTION, pages, put, remove, save } from '../ports/library-model.js'
import { eventually } from '../ports/subject.js'
import { folderWith, holdsBytes } from './folder.js'

const MANY = 2000

async function library(t: Test) {
  const folder = folderWith()
  const store = await openSqliteStore(folder)
  t.teardown(() => store.close())
  const live = await generation(t, store)
  const texts = Array.from({ length: MANY }, (_, i) => ({ _id: `p${i}`, words: ['every', `only${i}`] }))
  await save(live, put(pages, ...texts))
  await live.buildIndexes()
  await store.promote(live.generation)
  const counted = async (prefix: string) => {
    const snapshot = await store.snapshot([PROJECTION])
    const count = await snapshot.model(PROJECTION).countMatching(pages, { index: 'word', terms: [], prefix })
    snapshot.release()
    return count
  }
  return { folder, store, live, counted }
}

await t.test('removed words leave no trace in the files', async (t) => {
  const { folder, live, counted } = await library(t)
  await save(live, put(pages, { _id: 'secret', words: ['every', 'unmistakable'] }))
  t.ok(await holdsBytes(folder, 'mistakable'), 'it was there')
  const from = await live.checkpoint()
  // As an erasure does: the floor says that nothing from before may be left.
  await save(live, remove(pages, 'secret'), {
    to: { ...from, position: (from.position + 1) as typeof from.position, floor: from.position },
  })
  await eventually(async () => !(await holdsBytes(folder, 'mistakable')))
  t.equal(await counted('every'), MANY)
  t.equal(await counted('unmistakable'), 0)
})

await t.test('a generation from before words were counted gets the counts from its next leader', async (t) => {
  const { folder, store, live, counted } = await library(t)
  const [file = ''] = readdirSync(folder).filter((name) => /^library.*\.db$/.test(name))
  const db = openDatabase(join(folder, file))
  db.exec('DROP TABLE pages__word__vocabulary')
  db.close()
  const next = await store.openGeneration(live.generation, collections)
  t.teardown(() => next.close())
  await next.fence(2)
  t.equal(await counted('every'), MANY)
  await save(next, [...put(pages, { _id: 'new', words: ['every'] }), ...remove(pages, 'p1', 'p2')])
  t.equal(await counted('every'), MANY - 1, 'and they are kept in step')
})

await t.test('a generation from before there were indexes of words gets them from its next leader', async (t) => {
  const { folder, store, live, counted } = await library(t)
  const [file = ''] = readdirSync(folder).filter((name) => /^library.*\.db$/.test(name))
  const db = openDatabase(join(folder, file))
  db.exec('DROP TABLE pages__word__words')
  db.exec('DROP TABLE pages__word__vocabulary')
  db.exec('CREATE TABLE pages__word (k0 TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (k0, id)) WITHOUT ROWID')
  db.close()
  await t.rejects(counted('every'))
  const next = await store.openGeneration(live.generation, collections)
  t.teardown(() => next.close())
  await next.fence(2)
  t.equal(await counted('only19'), 111, 'only19, only190 to only199, only1900 to only1999')
  await save(next, put(pages, { _id: 'new', words: ['only19x'] }))
  t.equal(await counted('only19'), 112, 'and they are kept in step')
})
