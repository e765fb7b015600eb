/**
 * Copies of what cannot be made anew: a folder with the files of embedded stores and a manifest of checksums. What is on
 * servers is copied into such files: the log, and what was decided.
 */

import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { copyStores, integrityError } from '../adapters/sqlite/backup.js'
import { DISCARDS } from '../engine/dead-letters/discards.js'
import { applyLaterRemovals, type LaterRemovals, OtherLogError } from '../engine/erasure/missing-removals.js'
import { makeFolder, withTemporaryFolder } from '../lib/folders.js'
import { parseJson } from '../lib/parse-json.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { Config } from './config.js'
import { copyLog, LogCopyError } from './copy-log.js'
import { ownDataFolder } from './data-folder.js'
import { ACCEPTED_MODELS } from './models/accepted-models.js'
import { closeAfter, openEmbeddedLog, withDocuments, withLog } from './stores.js'

/** The backup cannot be made or restored, for a reason the operator can remove. */
export class BackupError extends Error {
  override name = 'BackupError'
}

const MANIFEST = 'backup.json'
/** `sha256` is by path within the folder. */
const Manifest = z.object({ format: z.literal(1), createdAt: z.string(), sha256: z.record(z.string(), z.string()) })
type Manifest = z.infer<typeof Manifest>

interface BackupOptions {
  models: boolean
  onWarning(text: string): void
  /** Of the log on a server. */
  onCopied(events: number): void
}

/** Copies the stores while they are in use; returns the files. */
export async function createBackup(config: Config, folder: string, { models, onWarning, onCopied }: BackupOptions): Promise<string[]> {
  if (models && (config.NATS_URL ?? config.MONGODB_URL) !== undefined)
    throw new BackupError('models are copied only where they and the log are embedded: without --models, a restored log builds them')
  await requireEmptyFolder(folder, 'a backup never overwrites anything')
  // Made beside the folder and renamed last: a folder of that name is always a whole backup.
  const parent = dirname(resolve(folder))
  makeFolder(parent)
  const work = await mkdtemp(join(parent, `.${basename(folder)}-`))
  try {
    const files =
      config.NATS_URL === undefined
        ? copyStores(ownDataFolder(config), work, { models })
        : await inFilesOf(work, (bare) => withLog({ ...config, NATS_CREATE: false }, (log) => copyToEmbedded(log, bare, onCopied)))
    if (files.length === 0) throw new BackupError(`there is nothing in ${config.DATA_DIR} to back up`)
    if (!models) files.push(...(await saveDecisions(config, work, onWarning)))
    const sha256: Record<string, string> = {}
    for (const file of files) sha256[file] = await sha256Of(join(work, file))
    const manifest: Manifest = { format: 1, createdAt: new Date().toISOString(), sha256 }
    await writeFile(join(work, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
    await rmdir(folder).catch(() => {})
    await rename(work, folder)
    return files
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** What `work` writes to the stores of a bare data folder. A store that was in use is more than one file. */
async function inFilesOf(work: string, write: (bare: string) => Promise<unknown>): Promise<string[]> {
  const bare = join(work, 'bare')
  await write(bare)
  const files = copyStores(bare, work, { models: true })
  await rm(bare, { recursive: true })
  return files
}

const copyToEmbedded = (log: EventLog, folder: string, onCopied: (events: number) => void) =>
  closeAfter(openEmbeddedLog({ DATA_DIR: folder }), (copy) => copyLog(log, copy, onCopied)).catch(refuseAsBackup)

export interface RestoredBackup extends LaterRemovals {
  files: string[]
}

interface RestoreOptions {
  /** A data folder or a newer backup: a person removed since is removed from what is restored, before anything can be read from it. */
  removalsFrom: string | undefined
  onCopied(events: number): void
}

/** Puts a backup into an empty data folder, or its log into an empty stream. */
export async function restoreBackup(config: Config, folder: string, { removalsFrom, onCopied }: RestoreOptions): Promise<RestoredBackup> {
  const isLocal = config.NATS_URL === undefined
  // Models are built again on servers, and ask jobs last a day.
  let files = (await checkedFiles(folder)).filter((file) => isLocal || file === LOG_FILE || file === CONTROL_FILE)
  if (isLocal) await requireEmptyFolder(ownDataFolder(config), 'move it away first, nothing is ever overwritten')
  const work = `${resolve(config.DATA_DIR)}.restoring`
  await rm(work, { recursive: true, force: true })
  makeFolder(work)
  try {
    for (const file of files) await cp(join(folder, file), join(work, file))
    const later = await applyRemovals(work, removalsFrom)
    if (later.removals > 0) {
      // The models still show who was removed. They are built again from the log.
      const outdated = files.filter((file) => MODEL_FILE.test(file))
      for (const file of outdated) await rm(join(work, file))
      files = files.filter((file) => !outdated.includes(file))
    }
    if (isLocal) {
      await rm(config.DATA_DIR, { recursive: true, force: true })
      await rename(work, config.DATA_DIR)
    } else {
      const copy = (log: EventLog) => withLog(config, (target) => copyLog(log, target, onCopied))
      await closeAfter(openEmbeddedLog({ DATA_DIR: work }), copy).catch(refuseAsBackup)
      if (files.includes(CONTROL_FILE))
        await withDocuments(embedded(config, work), (from) => withDocuments(config, (to) => copyDecided(from, to)))
    }
    return { files, ...later }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const refuseAsBackup = (error: unknown): never => {
  throw error instanceof LogCopyError ? new BackupError(error.message) : error
}

/** One generation of a model. */
const MODEL_FILE = /_g\d+\.db$/

async function applyRemovals(work: string, from: string | undefined): Promise<LaterRemovals> {
  if (from === undefined) return { removals: 0, redactions: 0 }
  if (!existsSync(join(from, LOG_FILE))) throw new BackupError(`${from} holds no log to take removals from`)
  // A copy, because opening a file changes it, and it may belong to another backup.
  return withTemporaryFolder(async (copy) => {
    await cp(join(from, dirname(LOG_FILE)), join(copy, dirname(LOG_FILE)), { recursive: true })
    const older = openEmbeddedLog({ DATA_DIR: work })
    const newer = openEmbeddedLog({ DATA_DIR: copy })
    try {
      return await applyLaterRemovals(older, newer)
    } catch (error) {
      throw error instanceof OtherLogError ? new BackupError(`the log in ${from} is another one: ${error.message}`) : error
    } finally {
      await older.close()
      await newer.close()
    }
  })
}

const LOG_FILE = join('log', 'events.db')

/** Where the embedded models keep what belongs to no generation. */
const CONTROL_FILE = join('models', 'control.db')

/** The models can be rebuilt from the log; what was decided about events and models cannot. */
async function saveDecisions(config: Config, work: string, onWarning: (text: string) => void): Promise<string[]> {
  if (config.MONGODB_URL === undefined) {
    const path = join(config.DATA_DIR, CONTROL_FILE)
    if (!existsSync(path)) return []
    // With damaged models, a copy of the log is needed most.
    const damage = integrityError(path)
    if (damage !== null) {
      onWarning(`${CONTROL_FILE} is damaged (${damage}): the backup is without what was discarded and which models are accepted`)
      return []
    }
  }
  return inFilesOf(work, (bare) => withDocuments(config, (from) => withDocuments(embedded(config, bare), (to) => copyDecided(from, to))))
}

const embedded = (config: Config, folder: string): Config => ({ ...config, MONGODB_URL: undefined, DATA_DIR: folder })

/** What was decided there already stays. */
async function copyDecided(from: DocumentStore, to: DocumentStore): Promise<void> {
  for (const kind of [DISCARDS, ACCEPTED_MODELS]) {
    const known = new Set((await to.controlRecords(kind)).map(({ id }) => id))
    for (const record of await from.controlRecords(kind)) if (!known.has(record.id)) await to.putControlRecord({ ...record, revision: 0 })
  }
}

/** Checks every byte before anything is changed. */
async function checkedFiles(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new BackupError(`${folder} is not a backup: it has no ${MANIFEST}`)
  })
  const manifest = Manifest.safeParse(parseJson(text))
  if (!manifest.success) throw new BackupError(`${join(folder, MANIFEST)} cannot be read`)
  const files = Object.entries(manifest.data.sha256)
  for (const [file, sha256] of files) {
    if (!resolve(folder, file).startsWith(resolve(folder) + sep)) throw new BackupError(`${file} lies outside of the backup`)
    const found = await sha256Of(join(folder, file)).catch(() => null)
    if (found === null) throw new BackupError(`${file} is missing from the backup`)
    const damage = found === sha256 ? integrityError(join(folder, file)) : 'it has changed since the backup was made'
    if (damage !== null) throw new BackupError(`${file} is damaged: ${damage}`)
  }
  return files.map(([file]) => file)
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

async function requireEmptyFolder(folder: string, otherwise: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length > 0) throw new BackupError(`${folder} is not empty: ${otherwise}`)
}
