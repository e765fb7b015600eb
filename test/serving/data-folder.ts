/** A DATA_DIR that tests fill and look into while, before or after the program works on it. */
import { join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import { projections } from '../../projections/index.js'
import { SqliteDocumentStore } from '../../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import type { Position } from '../../src/events/index.js'
import type { LogRecord, NewRecord } from '../../src/ports/event-log.js'
import { Projector } from '../../src/projector/projector.js'
import { type Survey, survey } from '../../src/projector/survey.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { caughtUp } from './caught-up.js'

export class DataFolder {
  readonly path: string
  readonly log: SqliteEventLog
  readonly documents: SqliteDocumentStore

  static async open(t: Test): Promise<DataFolder> {
    const path = await temporaryFolder()
    const folder = new DataFolder(path, await SqliteDocumentStore.open(join(path, 'models')))
    t.teardown(async () => {
      await folder.documents.close()
      await folder.log.close()
      await removeFolder(path)
    })
    return folder
  }

  private constructor(path: string, documents: SqliteDocumentStore) {
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

  /** Builds the models in this process, up to the end of the log. */
  async project(): Promise<void> {
    const projector = new Projector(projections, this.log, this.documents, pino({ level: 'silent' }))
    projector.start()
    await this.caughtUp()
    await projector.stop()
  }

  /** Until every model, by whichever process, has come to the end of the log. */
  async caughtUp(): Promise<void> {
    await caughtUp(this.documents, (await this.log.bounds()).last)
  }

  standing(): Promise<Survey> {
    return survey(this.log, this.documents, projections)
  }

  /** Settles as soon as the projections stand as described. Looks whenever something was written. */
  async until(described: (standing: Survey) => boolean): Promise<void> {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        const stop = this.documents.onChange(() => {
          stop()
          resolve()
        })
      })
      if (described(await this.standing())) return
      await changed
    }
  }
}
