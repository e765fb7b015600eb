/** A hand-written search with SQLite's own full-text index: the same matches, in the same order, and how many there are. */
import { join } from 'node:path'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { LIMIT } from './readers.js'

/** A full-text index over the same words, beside the same documents, with the sort values in a separate table. */
export function fullText(feed: string, folder: string) {
  const db = openDatabase(join(folder, 'full-text.db'))
  db.exec(`ATTACH '${feed}' AS feed`)
  db.exec(`CREATE VIRTUAL TABLE words USING fts5(terms, content='', columnsize=0, detail=none, tokenize='ascii')`)
  db.exec('CREATE TABLE places (n INTEGER PRIMARY KEY, trending INTEGER NOT NULL, id TEXT NOT NULL)')
  db.exec('BEGIN')
  db.exec("INSERT INTO places SELECT rowid, doc ->> '$.trending', id FROM feed.items WHERE doc ->> '$.publicAddress' IS NOT NULL")
  db.exec(
    `INSERT INTO words (rowid, terms) SELECT places.n, (SELECT group_concat(value, ' ') FROM json_each(t.doc, '$.terms'))
     FROM places JOIN feed.terms AS t ON t.id = places.id ORDER BY places.n`,
  )
  db.exec("INSERT INTO words (words) VALUES ('optimize')")
  db.exec('COMMIT')
  // The order first and the documents of the page alone after that: a sorter that carries documents is much slower.
  const page = db.prepare<[string]>(
    `SELECT d.doc FROM (
         SELECT p.n, p.trending, p.id FROM words JOIN places AS p ON p.n = words.rowid WHERE words MATCH ?
         ORDER BY p.trending DESC, p.id DESC LIMIT ${LIMIT}
       ) AS x JOIN feed.items AS d ON d.rowid = x.n ORDER BY x.trending DESC, x.id DESC`,
  )
  const count = db.prepare<[number]>('SELECT count(*) FROM words WHERE words MATCH ?')
  return {
    search(terms: readonly string[]): { items: unknown[]; total: number } {
      const match = `${terms.map((term) => `"${term}"`).join(' AND ')} *`
      const rows = page.all(match)
      const [total] = count.one(match)
      return { items: rows.map(([doc]) => JSON.parse(doc) as unknown), total }
    },
    close: () => db.close(),
  }
}
