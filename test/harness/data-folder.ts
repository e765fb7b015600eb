/** A DATA_DIR that tests fill and read before, while or after the program works on it. */
import { join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import { openSqliteStore, type SqliteOptions } from '../../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import { Projector } from '../../src/engine/leader/projector.js'
import type { Position } from '../../src/events/index.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { LogRecord, NewRecord } from '../../src/ports/event-log.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import type { Told } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { projections } from '../support/built-in-models.js'
import { caughtUp } from './caught-up.js'

export class DataFolder {
  readonly path: string
  readonly log: SqliteEventLog
  readonly documents: DocumentStore
  #closed = false

  /** A new folder by default. Removed after the test. */
  static async open(t: Pick<Test, 'teardown'>, existing?: string, options?: SqliteOptions): Promise<DataFolder> {
    const path = existing ?? (await temporaryFolder())
    const folder = new DataFolder(path, await openSqliteStore(join(path, 'models'), options))
    t.teardown(async () => {
      await folder.close()
      await removeFolder(path)
    })
    return folder
  }

  /** With these events in its log. */
  static async of(t: Pick<Test, 'teardown'>, ...told: readonly Told[]): Promise<DataFolder> {
    const folder = await DataFolder.open(t)
    await folder.append(new Script().write(...told))
    return folder
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.documents.close()
    await this.log.close()
  }

  private constructor(path: string, documents: DocumentStore) {
    this.path = path
    this.log = new SqliteEventLog(join(path, 'log', 'events.db'))
    this.documents = documents
  }

  /** Everything in the log. */
  records(): Promise<LogRecord[]> {
    return this.log.read(0 as Position, Number.MAX_SAFE_INTEGER)
  }

  async append(records: Iterable<NewRecord>): Promise<void> {
    await this.log.append([...records])
  }

  /** Builds the models in this process, up to the end of the log; perhaps with other code than the program's. */
  async project(code: (projection: Projection) => Projection = (projection) => projection): Promise<void> {
    const projector = new Projector(projections.map(code), this.log, this.documents, pino({ level: 'silent' }))
    projector.start()
    await this.caughtUp()
    await projector.stop()
  }

  /** Waits until every model, projected by any process, has caught up with the log. */
  async caughtUp(): Promise<void> {
    await caughtUp(this.documents, (await this.log.bounds()).last)
  }

  /** The position of a projection, live or loading; null before it has a generation. */
  async position(projection: string): Promise<number | null> {
    const generation = (await this.documents.generations(projection)).at(-1)
    if (generation === undefined) return null
    const opened = await this.documents.openGeneration(generation, [])
    try {
      return (await opened.checkpoint()).position
    } finally {
      await opened.close()
    }
  }

  /** Resolves as soon as a projection, live or loading, has reached this position; at 0, when it has begun. */
  async reached(projection: string, position: number): Promise<void> {
    await this.until(async () => {
      const begun = (await this.documents.generations(projection)).length > 0
      return begun && (position === 0 || ((await this.position(projection)) ?? 0) >= position)
    })
  }

  /** Resolves once `happened` returns true; asks now and whenever something is written to the models. */
  async until(happened: () => boolean | Promise<boolean>): Promise<void> {
    for (;;) {
      const changed = this.#nextChange()
      if (await happened()) return
      await changed
    }
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.documents.onChange(() => {
        stop()
        resolve()
      })
    })
  }
}
