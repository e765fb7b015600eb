import { join } from 'node:path'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import type { DocumentStore, Generation } from '../../src/ports/document-store.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import type { Subject } from '../ports/subject.js'

/** SQLite in a folder that a test can change, as an editor or a bad disk could. */
export class SqliteFolder implements Subject<DocumentStore> {
  readonly name = 'SQLite'
  #folder = ''

  async open() {
    this.#folder = await temporaryFolder()
    const another = () => openSqliteStore(this.#folder)
    return { store: await another(), another, remove: () => removeFolder(this.#folder) }
  }

  path({ projection, version, number }: Generation): string {
    return join(this.#folder, `${projection}_v${version}_g${number}.db`)
  }

  /** Runs a statement on the file of one generation. */
  scribble(generation: Generation | undefined, sql: string): void {
    if (generation === undefined) throw new Error('there is no such generation')
    const db = openDatabase(this.path(generation))
    try {
      db.exec(sql)
    } finally {
      db.close()
    }
  }
}
