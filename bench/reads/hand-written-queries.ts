/** A hand-written query for one page of the feed: no total, no cursor, no snapshot. */
import { MongoClient } from 'mongodb'
import { SORT_FIELDS, SORTS, type Sort } from '../../readmodels/feed/documents.js'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { LIMIT } from './readers.js'

export interface HandWrittenQueries {
  page(sort: Sort, facet: string): Promise<unknown[]>
  close(): unknown
}

export function byStatement(file: string): HandWrittenQueries {
  const db = openDatabase(file)
  const statements = new Map(
    SORTS.map((sort) => [
      sort,
      db.prepare<[string]>(
        `SELECT d.doc FROM items__${sort} AS x JOIN items AS d ON d.id = x.id WHERE x.k0 = ? ORDER BY x.k1 DESC, x.id DESC LIMIT ${LIMIT}`,
      ),
    ]),
  )
  return {
    async page(sort, facet) {
      const rows = statements.get(sort)?.all(facet) ?? []
      return rows.map(([doc]) => JSON.parse(doc) as unknown)
    },
    close: () => db.close(),
  }
}

export async function byMongoDriver(url: string): Promise<HandWrittenQueries> {
  const client = await MongoClient.connect(url)
  const [found] = await client
    .db('vitrine')
    .listCollections({ name: /^feed_v\d+_g\d+_items$/ }, { nameOnly: true })
    .toArray()
  if (found === undefined) throw new Error('the feed was not projected')
  const items = client.db('vitrine').collection(found.name)
  return {
    page: (sort, facets) =>
      items
        .find({ facets })
        .sort({ [SORT_FIELDS[sort]]: -1, _id: -1 })
        .limit(LIMIT)
        .toArray(),
    close: () => client.close(),
  }
}
