import { type IndexEntry, indexEntries, sameIndexEntries } from '../../../ports/collection.js'
import type { Collection, IndexSpec, Write } from '../../../ports/document-store.js'
import type { Connection, Statement } from '../database.js'
import { FullTextWriter } from './full-text-index.js'
import { RowWriter } from './row-writer.js'
import { hasInexactNumber, indexTable, keyColumns } from './tables.js'

/** Writes one collection's documents and keeps its indexes in step. */
export class CollectionWriter {
  readonly #documents: RowWriter
  readonly #deletion: Statement
  readonly #indexes: (IndexWriter | FullTextWriter)[]
  readonly #deferredFields: readonly string[]
  /** Whether an index that is filled later will need more than SQLite for it: see `fillIndex`. */
  sawInexactNumber = false

  /** `indexes` are kept in step, `later` are to be filled when everything is loaded. */
  constructor(db: Connection, collection: Collection, indexes: readonly IndexSpec[], later: readonly IndexSpec[]) {
    this.#deferredFields = [...new Set(later.flatMap(({ fields }) => fields))]
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
    // The indexes first: words are taken out by their row.
    for (const index of this.#indexes) index.update(write)
    if (after !== undefined) this.#documents.add([id, JSON.stringify(after)])
    else if (before !== undefined) this.#deletion.run(id)
    if (after !== undefined && !this.sawInexactNumber) this.sawInexactNumber = hasInexactNumber(this.#deferredFields, after)
  }

  flush(): void {
    this.#documents.flush()
    for (const index of this.#indexes) index.flush()
  }

  discard(): void {
    this.#documents.discard()
    for (const index of this.#indexes) index.discard()
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
    // An entry ends with the id, and a commit writes a document once: no other entry of the batch can meet these.
    for (const entry of old.values()) this.#deletions.add([...entry, id])
    for (const entry of added) this.#insertions.add([...entry, id])
  }

  flush(): void {
    this.#deletions.flush()
    this.#insertions.flush()
  }

  discard(): void {
    this.#deletions.discard()
    this.#insertions.discard()
  }
}
