import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { indexDescription } from '../../src/adapters/mongo/models/indexes.js'
import { Connection } from '../../src/adapters/sqlite/database.js'
import { buildIndex } from '../../src/adapters/sqlite/models/indexes.js'
import { tableSql } from '../../src/adapters/sqlite/models/tables.js'
import type { Config } from '../../src/compose/config.js'
import type { Collection, Doc, Reads } from '../../src/ports/document-store.js'
import { measureTime, NO_TIME, sum, type TimeSpent } from '../cpu-time.js'

/** Documents to a page: read beforehand, which does not count. */
const PAGE = 20_000
const INSERTED = 1000

interface Target {
  begin(collection: Collection): unknown
  write(collection: Collection, docs: readonly Doc[]): unknown
  index(collection: Collection): unknown
  close(): unknown
}

/** The same documents, written by the bare driver in the order of their ids, and the same indexes afterwards. */
export async function writeBare(
  { MONGODB_URL, DATA_DIR }: Config,
  from: Reads,
  collections: readonly Collection[],
  server: number | null,
): Promise<TimeSpent & { count: number }> {
  const target = MONGODB_URL === undefined ? sqlite(join(DATA_DIR, 'bare.db')) : await mongo(MONGODB_URL)
  let spent = NO_TIME
  let count = 0
  const add = async (work: () => unknown) => {
    spent = sum(spent, await measureTime(work, server))
  }
  for (const collection of collections) {
    await add(() => target.begin(collection))
    for (let after: string[] = []; ; ) {
      const docs = await from.range(collection, { index: '_id', equals: [], limit: PAGE, ...(after.length === 0 ? {} : { after }) })
      if (docs.length > 0) await add(() => target.write(collection, docs))
      count += docs.length
      const last = docs.at(-1)
      if (last === undefined || docs.length < PAGE) break
      after = [last._id]
    }
    await add(() => target.index(collection))
  }
  await add(() => target.close())
  return { ...spent, count }
}

function sqlite(path: string): Target {
  const db = new Connection(path)
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('PRAGMA synchronous = NORMAL')
  db.exec('PRAGMA temp_store = FILE')
  const rows = (count: number) => Array(count).fill('(?, ?)').join(', ')
  return {
    begin: (collection) => db.exec(tableSql(collection)),
    write({ name }, docs) {
      const many = db.prepare(`INSERT INTO "${name}" (id, doc) VALUES ${rows(32)}`)
      db.exec('BEGIN')
      let at = 0
      for (; at + 32 <= docs.length; at += 32) many.run(docs.slice(at, at + 32).flatMap((doc) => [doc._id, JSON.stringify(doc)]))
      const one = db.prepare(`INSERT INTO "${name}" (id, doc) VALUES (?, ?)`)
      for (const doc of docs.slice(at)) one.run(doc._id, JSON.stringify(doc))
      db.exec('COMMIT')
    },
    index(collection) {
      for (const index of collection.indexes) buildIndex(db, collection, index)
    },
    close: () => db.close(),
  }
}

async function mongo(url: string): Promise<Target> {
  const client = await MongoClient.connect(url)
  const db = client.db('bare', { writeConcern: { w: 'majority' } })
  return {
    begin: ({ name }) => db.createCollection(name),
    async write({ name }, docs) {
      // The driver wants documents of its own kind; ours are plain objects under a string id.
      const collection = db.collection<Doc>(name)
      for (let at = 0; at < docs.length; at += INSERTED) await collection.insertMany(docs.slice(at, at + INSERTED), { ordered: false })
    },
    async index({ name, indexes }) {
      if (indexes.length > 0) await db.collection(name).createIndexes(indexes.map(indexDescription))
    },
    close: () => client.close(),
  }
}
