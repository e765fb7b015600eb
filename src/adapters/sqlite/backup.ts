/** Copies of the embedded stores, taken while others work on them, and whether such a file is whole. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { makeFolder } from '../../lib/make-folder.js'
import { type Connection, openDatabase } from './database.js'

/** The events are all there is; `models` can be built from them again, but that takes its time. */
export interface BackupScope {
  models: boolean
}

/** Copies what a data folder holds into another folder, each file as it was at one moment. Gives their paths. */
export function copyStores(from: string, to: string, { models }: BackupScope): string[] {
  const files = [join('log', 'events.db'), join('asks', 'events.db')].filter((path) => existsSync(join(from, path)))
  for (const path of files) copyDatabase(join(from, path), join(to, path))
  return models ? [...files, ...copyModels(from, to)] : files
}

/** `null` when SQLite finds nothing wrong with a file. */
export function integrityError(path: string): string | null {
  try {
    const db = new Database(path, { readonly: true })
    try {
      const [finding] = db.prepare('PRAGMA integrity_check(1)').raw().get() as unknown as [string]
      return finding === 'ok' ? null : finding
    } finally {
      db.close()
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The list of generations first: a generation named there may be gone a moment later, but none is missing from it. */
function copyModels(from: string, to: string): string[] {
  const control = join('models', 'control.db')
  if (!existsSync(join(from, control))) return []
  copyDatabase(join(from, control), join(to, control))
  const db = openDatabase(join(to, control))
  try {
    // Only what readers see: a copy is for starting again, not for rolling back.
    db.exec("DELETE FROM generations WHERE state <> 'live'")
    const live = db.prepare('SELECT projection, version, number FROM generations').raw().all() as unknown as [string, number, number][]
    const copied = live.flatMap(([projection, version, number]) => {
      const path = join('models', `${projection}_v${version}_g${number}.db`)
      if (!existsSync(join(from, path))) {
        db.prepare('DELETE FROM generations WHERE projection = ? AND number = ?').run(projection, number)
        return []
      }
      copyDatabase(join(from, path), join(to, path))
      return [path]
    })
    return [control, ...copied]
  } finally {
    closeAsSingleFile(db)
  }
}

function copyDatabase(from: string, to: string): void {
  makeFolder(dirname(to))
  const db = openDatabase(from)
  try {
    db.prepare('VACUUM INTO ?').run(to)
  } finally {
    db.close()
  }
}

/** One file, without a log beside it. */
function closeAsSingleFile(db: Connection): void {
  db.exec('PRAGMA journal_mode = DELETE')
  db.close()
}
