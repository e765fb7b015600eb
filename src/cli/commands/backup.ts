import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { copyStores, integrityError } from '../../adapters/sqlite/backup.js'
import type { Config } from '../../compose/config.js'
import { openDocuments } from '../../compose/stores.js'
import { copyDiscards } from '../../engine/dead-letters/discards.js'
import { makeFolder } from '../../lib/make-folder.js'
import { plural } from '../../lib/plural.js'
import { type Command, CommandError } from '../command-line.js'
import type { Io } from '../io.js'

export const MANIFEST = 'backup.json'

export interface Manifest {
  format: 1
  createdAt: string
  /** By path within the folder. */
  sha256: Record<string, string>
}

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the embedded stores into a folder, while they are in use.',
  usage: 'FOLDER',
  flags: { models: { type: 'boolean', help: 'the read models too, so that they need not be built again' } },
  async run({ config, positionals, has, json, io }) {
    const [folder, surplus] = positionals
    if (folder === undefined || surplus !== undefined) throw new CommandError('name one folder to write the backup into')
    requireEmbeddedLog(config)
    await requireEmptyFolder(folder)
    // Beside its place, so that renaming it is the last step: a folder of that name is always a whole backup.
    const parent = dirname(resolve(folder))
    makeFolder(parent)
    const work = await mkdtemp(join(parent, `.${basename(folder)}-`))
    try {
      const files = copyStores(config.DATA_DIR, work, { models: has('models') })
      if (files.length === 0) throw new CommandError(`there is nothing in ${config.DATA_DIR} to back up`)
      if (!has('models')) files.push(...(await copyDiscardDecisions(config, work, io)))
      const sha256: Manifest['sha256'] = {}
      for (const file of files) sha256[file] = await sha256Of(join(work, file))
      const manifest: Manifest = { format: 1, createdAt: new Date().toISOString(), sha256 }
      await writeFile(join(work, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
      await rmdir(folder).catch(() => {})
      await rename(work, folder)
      io.print(json ? JSON.stringify({ folder, files }) : `${plural(files.length, 'file')} copied to ${folder}:\n  ${files.join('\n  ')}`)
    } finally {
      await rm(work, { recursive: true, force: true })
    }
    return 0
  },
}

/** Where the embedded models keep what belongs to no generation. */
const CONTROL_FILE = join('models', 'control.db')

/** The models can be built again from the log; what people have decided about its events cannot. */
async function copyDiscardDecisions(config: Config, work: string, io: Io): Promise<string[]> {
  if (config.MONGODB_URL !== undefined || !existsSync(join(config.DATA_DIR, CONTROL_FILE))) return []
  // Damaged models are when a copy of the log is needed most.
  const damage = integrityError(join(config.DATA_DIR, CONTROL_FILE))
  if (damage !== null) {
    io.warn(`vitrine backup: ${CONTROL_FILE} is damaged (${damage}): the backup is without what was discarded`)
    return []
  }
  const bare = join(work, 'bare')
  const from = await openDocuments(config)
  const to = await openDocuments({ ...config, DATA_DIR: bare })
  try {
    await copyDiscards(from, to)
  } finally {
    await to.close()
    await from.close()
  }
  // A store that was in use is more than one file.
  const files = copyStores(bare, work, { models: true })
  await rm(bare, { recursive: true })
  return files
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

/** Their data is not here. */
export function requireEmbeddedLog({ NATS_URL, MONGODB_URL, EVENTSTORE_URL }: Config): void {
  if (NATS_URL === undefined) return
  const others = [MONGODB_URL && 'MongoDB', EVENTSTORE_URL && 'the event store'].filter((name) => name)
  throw new CommandError(
    `the log is in NATS${others.length > 0 ? ` (and ${others.join(', ')} in use)` : ''}: see docs/cluster.md on backups there`,
  )
}

async function requireEmptyFolder(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length > 0) throw new CommandError(`${folder} is not empty: a backup never overwrites anything`)
}
