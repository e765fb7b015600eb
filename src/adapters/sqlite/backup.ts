/** Copies the embedded stores while they are in use, and checks whether a file is intact. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../lib/folders.js'
import { errorMessage, plural } from '../../lib/message-text.js'
import { type Finding, failed, passed } from '../../ports/diagnostics.js'
import { Connection, openDatabase } from './database.js'

/** The events are always copied. `models` can be rebuilt from them, which takes time. */
export interface BackupScope {
  models: boolean
}

/** Copies the files of a data folder into another folder, each as it was at one moment. Returns their paths. */
export function copyStores(from: string, to: string, { models }: BackupScope): string[] {
  const files = [join('log', 'events.db'), join('asks', 'events.db')].filter((path) => existsSync(join(from, path)))
  for (const path of files) copyDatabase(join(from, path), join(to, path))
  return models ? [...files, ...copyModels(from, to)] : files
}

/**
 * With secure deletion SQLite says this of a full-text table of a few documents that is whole. `verify` compares the words of
 * every document with the index.
 */
const FALSE_ALARM = /^malformed inverted index for FTS5 table/

/** `null` when SQLite finds nothing wrong with a file. */
export function integrityError(path: string): string | null {
  try {
    const db = new Connection(path, { readonly: true })
    try {
      const findings = db.prepare<[string]>('PRAGMA integrity_check').all()
      return findings.map(([finding]) => finding).find((finding) => finding !== 'ok' && !FALSE_ALARM.test(finding)) ?? null
    } finally {
      db.close()
    }
  } catch (error) {
    return errorMessage(error)
  }
}

/** Copies the list of generations first: a listed generation may be dropped a moment later, but none is missing. */
function copyModels(from: string, to: string): string[] {
  const control = join('models', 'control.db')
  if (!existsSync(join(from, control))) return []
  copyDatabase(join(from, control), join(to, control))
  const db = openDatabase(join(to, control))
  try {
    // Only the live generations: a copy is for a fresh start, not for a rollback.
    db.exec("DELETE FROM generations WHERE state <> 'live'")
    const live = db.prepare<[string, number, number]>('SELECT projection, version, number FROM generations').all()
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
    // One file, without a write-ahead log.
    db.exec('PRAGMA journal_mode = DELETE')
    db.close()
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

export interface EmbeddedStores {
  /** True for the stores whose files are here; the others live on servers. */
  log: boolean
  asks: boolean
  models: boolean
}

/** Reads every page of every file, which takes seconds for each gigabyte. One finding per damaged file. */
export function diagnoseFiles(folder: string, { log, asks, models }: EmbeddedStores): Finding[] {
  const files = [
    ...(log ? [join('log', 'events.db')] : []),
    ...(asks ? [join('asks', 'events.db')] : []),
    ...(models ? modelFiles(folder) : []),
  ].filter((path) => existsSync(join(folder, path)))
  const damaged = files.flatMap((path) => {
    const damage = integrityError(join(folder, path))
    return damage === null ? [] : [failed(`file ${path}`, `damaged (${damage.replaceAll(/\s+/g, ' ')})`, remedyFor(path))]
  })
  return damaged.length > 0 ? damaged : [passed('files', `${plural(files.length, 'is', 'are')} whole`)]
}

function modelFiles(folder: string): string[] {
  if (!existsSync(join(folder, 'models'))) return []
  return readdirSync(join(folder, 'models'))
    .filter((name) => name.endsWith('.db'))
    .map((name) => join('models', name))
}

function remedyFor(path: string): string {
  if (path === join('models', 'control.db'))
    return 'stop the service, delete the folder "models" and start it: the models are built again from the log, what was discarded comes back from a backup'
  if (path.startsWith('models')) return 'stop the service, delete this file and start it: the model is built again from the log'
  if (path.startsWith('log')) return 'stop the service and bring the log back with "vitrine restore"; the models follow it'
  return 'stop the service and delete the folder "asks", or bring it back with "vitrine restore": it holds questions that were asked in the background'
}
