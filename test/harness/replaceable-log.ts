import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { caughtUp } from './caught-up.js'
import { vitrine } from './command.js'
import { DataFolder } from './data-folder.js'
import { type Finished, Serving } from './program.js'

/** A data folder whose log can be replaced while no process works on it. */
export class ReplaceableLog {
  readonly path: string
  readonly #t: Test
  serving: Serving | null = null

  /** With these events in the log and in the models, and nothing running. */
  static async open(t: Test, records: readonly NewRecord[]): Promise<ReplaceableLog> {
    const folder = await DataFolder.open(t)
    await folder.append(records)
    await folder.project()
    await folder.close()
    return new ReplaceableLog(t, folder.path)
  }

  private constructor(t: Test, path: string) {
    this.#t = t
    this.path = path
  }

  run(command: string, ...args: string[]): Promise<Finished> {
    return vitrine([command, ...args, '--data-dir', this.path])
  }

  async serve(): Promise<Serving> {
    this.serving = await Serving.start(this.#t, this.path)
    await this.serving.ready()
    return this.serving
  }

  async replaceLog(records: readonly NewRecord[]): Promise<void> {
    await this.serving?.end('SIGTERM')
    await rm(join(this.path, 'log'), { recursive: true })
    const log = openLog(this.path)
    await log.append(records)
    await log.close()
  }

  /** Works on the folder beside the service. */
  async with<T>(work: (log: SqliteEventLog, documents: DocumentStore) => Promise<T>): Promise<T> {
    const log = openLog(this.path)
    const documents = await openSqliteStore(join(this.path, 'models'))
    try {
      return await work(log, documents)
    } finally {
      await documents.close()
      await log.close()
    }
  }

  caughtUp(): Promise<void> {
    return this.with(async (log, documents) => caughtUp(documents, (await log.bounds()).last))
  }
}

const openLog = (path: string) => new SqliteEventLog(join(path, 'log', 'events.db'))
