/** Checks the files of the embedded stores. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { plural } from '../../lib/message-text.js'
import { type Finding, failed, passed } from '../../ports/diagnostics.js'
import { integrityError } from './backup.js'

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
