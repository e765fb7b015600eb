import { type Collection, type IndexEntry, type IndexSpec, indexEntries, sameIndexEntries } from '../../../ports/collection.js'
import type { Write } from '../../../ports/models.js'
import type { Connection, Statement } from '../database.js'
import { FullTextWriter } from './full-text-index.js'
import { indexTable, keyColumns, RowWriter } from './tables.js'

/** Writes one collection's documents and updates its indexes. After an error it must not be used again: it may hold rows. */
export class CollectionWriter {
  readonly #documents: RowWriter
  readonly #deletion: Statement
  readonly #indexes: (IndexWriter | FullTextWriter)[]

  /** `indexes` are updated with every write; others are filled once everything is loaded. */
  constructor(db: Connection, collection: Collection, indexes: readonly IndexSpec[]) {
    this.#documents = new RowWriter(
      db,
      2,
      (rows) => `INSERT INTO "${collection.name}" (id, doc) VALUES ${rows} ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`,
    )
    this.#deletion = db.prepare(`DELETE FROM "${collection.name}" WHERE id = ?`)
    this.#indexes = indexes.map((index) =>
      index.fullText ? new FullTextWriter(db, collection, index) : new IndexWriter(db, collection, index),
    )
  }

  write(write: Write): void {
    const { id, before, after } = write
    // The indexes first: the full-text index finds the row to delete by the document's id.
    for (const index of this.#indexes) index.update(write)
    if (after !== undefined) this.#documents.add([id, JSON.stringify(after)])
    else if (before !== undefined) this.#deletion.run(id)
  }

  flush(): void {
    this.#documents.flush()
    for (const index of this.#indexes) index.flush()
  }
}

class IndexWriter {
  readonly #index: IndexSpec
  readonly #insertions: RowWriter
  readonly #deletions: RowWriter

  constructor(db: Connection, collection: Collection, index: IndexSpec) {
    const table = indexTable(collection, index)
    const width = index.fields.length + 1
    const key = [...keyColumns(index), 'id'].join(', ')
    this.#index = index
    this.#insertions = new RowWriter(db, width, (rows) => `INSERT OR IGNORE INTO "${table}" VALUES ${rows}`)
    this.#deletions = new RowWriter(db, width, (rows) => `DELETE FROM "${table}" WHERE (${key}) IN (VALUES ${rows})`)
  }

  update({ id, before, after }: Write): void {
    if (sameIndexEntries(this.#index, before, after)) return
    if (before === undefined) {
      for (const entry of indexEntries(this.#index, after)) this.#insertions.add([...entry, id])
      return
    }
    const old = new Map(indexEntries(this.#index, before).map((entry) => [JSON.stringify(entry), entry]))
    const added: IndexEntry[] = []
    for (const entry of indexEntries(this.#index, after)) if (!old.delete(JSON.stringify(entry))) added.push(entry)
    // An entry ends with the id, and a commit writes a document once: no other entry of the batch can be the same.
    for (const entry of old.values()) this.#deletions.add([...entry, id])
    for (const entry of added) this.#insertions.add([...entry, id])
  }

  flush(): void {
    this.#deletions.flush()
    this.#insertions.flush()
  }
}
