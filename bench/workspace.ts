import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteEventLog } from '../src/adapters/sqlite/event-log.js'
import { readConfig } from '../src/compose/config.js'
import { createLogger } from '../src/compose/logger.js'
import { startProjectorThread } from '../src/compose/projector/projector.js'
import { openDocuments } from '../src/compose/stores.js'
import { waitForModels } from '../src/compose/wait-for-models.js'
import type { DocumentStore } from '../src/ports/document-store.js'
import type { NewRecord } from '../src/ports/event-log.js'
import { MODEL_NAMES } from '../test/support/built-in-models.js'

/** A folder that is removed afterwards. */
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

/** Projects the whole log into all models, the way the service does it. */
export async function project(folder: string): Promise<void> {
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn' })
  const projector = startProjectorThread(config, createLogger(config))
  const store = await openDocuments(config)
  await allLoaded(store)
  await projector.stop()
  await store.close()
}

/** Resolves once every model can be read. */
export const allLoaded = (store: DocumentStore): Promise<boolean> => waitForModels(store, MODEL_NAMES, new AbortController().signal)

export async function inChunks<T>(all: readonly T[], size: number, take: (chunk: T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += size) await take(all.slice(at, at + size))
}
