import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projections } from '../projections/index.js'
import { SqliteDocumentStore } from '../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../src/adapters/sqlite/event-log.js'
import { ModelUnavailableError } from '../src/ports/document-store.js'
import type { NewRecord } from '../src/ports/event-log.js'
import { Projector } from '../src/projector/projector.js'

/** A folder that is gone afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const logPath = (folder: string): string => join(folder, 'log', 'events.db')
export const modelsPath = (folder: string): string => join(folder, 'models')

export async function writeLog(folder: string, records: Iterable<NewRecord>): Promise<number> {
  const log = new SqliteEventLog(logPath(folder))
  let chunk: NewRecord[] = []
  for (const record of records) {
    chunk.push(record)
    if (chunk.length === 5000) {
      await log.append(chunk)
      chunk = []
    }
  }
  const { last } = await log.append(chunk)
  await log.close()
  return last
}

const quiet = { info() {}, warn: console.warn, error: console.error }

/** Projects the whole log into all models, in this thread. */
export async function project(folder: string): Promise<void> {
  const log = new SqliteEventLog(logPath(folder))
  const store = await SqliteDocumentStore.open(modelsPath(folder))
  const projector = new Projector(projections, log, store, quiet)
  projector.start()
  await loaded(store)
  await projector.stop()
  await store.close()
  await log.close()
}

async function loaded(store: SqliteDocumentStore): Promise<void> {
  for (;;) {
    try {
      ;(await store.snapshot(projections.map(({ name }) => name))).release()
      return
    } catch (error) {
      if (!(error instanceof ModelUnavailableError)) throw error
    }
    await new Promise<void>((resolve) => {
      const stop = store.onChange(() => {
        stop()
        resolve()
      })
    })
  }
}
