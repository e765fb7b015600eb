import type { ControlRecord } from '../../ports/document-store.js'
import type { Connection, Statement } from './database.js'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS notes (
    kind TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)
  ) WITHOUT ROWID`

type Row = [id: string, revision: number, value: string]

/** Notes as rows of the control file. */
export class SqliteControlRecords {
  readonly #all: Statement
  readonly #insert: Statement
  readonly #update: Statement
  readonly #lengthOf: Statement
  readonly #delete: Statement

  constructor(db: Connection) {
    db.exec(SCHEMA)
    this.#all = db.prepare('SELECT id, revision, value FROM notes WHERE kind = ? ORDER BY id').raw()
    this.#insert = db.prepare('INSERT OR IGNORE INTO notes VALUES (?, ?, 1, ?)')
    this.#update = db.prepare('UPDATE notes SET revision = revision + 1, value = ? WHERE kind = ? AND id = ? AND revision = ?')
    this.#lengthOf = db.prepare('SELECT length(value) FROM notes WHERE kind = ? AND id = ?').raw()
    this.#delete = db.prepare('DELETE FROM notes WHERE kind = ? AND id = ?')
  }

  async all(kind: string): Promise<ControlRecord[]> {
    const rows = this.#all.all(kind) as unknown as Row[]
    return rows.map(([id, revision, value]) => ({ kind, id, revision, value: JSON.parse(value) }))
  }

  /** `shrunk` is called when something was taken out of the note. */
  async put(note: ControlRecord, shrunk: () => void): Promise<ControlRecord | null> {
    const { kind, id, revision } = note
    const value = JSON.stringify(note.value)
    const [length = 0] = (this.#lengthOf.get(kind, id) ?? []) as unknown as [number?]
    const { changes } = revision === 0 ? this.#insert.run(kind, id, value) : this.#update.run(value, kind, id, revision)
    if (changes === 0) return null
    if (value.length < length) shrunk()
    return { kind, id, revision: revision + 1, value: JSON.parse(value) }
  }

  async delete(kind: string, id: string): Promise<void> {
    this.#delete.run(kind, id)
  }
}
