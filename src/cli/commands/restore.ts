import { cp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { integrityError } from '../../adapters/sqlite/backup.js'
import { makeFolder } from '../../lib/make-folder.js'
import { plural } from '../../lib/plural.js'
import { type Command, CommandError } from '../command-line.js'
import { MANIFEST, type Manifest, requireEmbeddedLog, sha256Of } from './backup.js'

const ManifestFile: z.ZodType<Manifest> = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  sha256: z.record(z.string(), z.string()),
})

export const restore: Command = {
  name: 'restore',
  summary: 'Put a backup into an empty data folder. Models that are not in it are built again on the next start.',
  usage: 'FOLDER',
  async run({ config, positionals, json, io }) {
    const [folder, surplus] = positionals
    if (folder === undefined || surplus !== undefined) throw new CommandError('name the folder of one backup')
    requireEmbeddedLog(config)
    const files = await checkedFiles(folder)
    await requireEmptyFolder(config.DATA_DIR)
    const work = `${resolve(config.DATA_DIR)}.restoring`
    await rm(work, { recursive: true, force: true })
    makeFolder(work)
    for (const file of files) await cp(join(folder, file), join(work, file))
    await rm(config.DATA_DIR, { recursive: true, force: true })
    await rename(work, config.DATA_DIR)
    io.print(
      json ? JSON.stringify({ files }) : `${plural(files.length, 'file')} restored to ${config.DATA_DIR}. Start with "vitrine serve".`,
    )
    return 0
  },
}

/** Every byte is looked at before anything is touched. */
async function checkedFiles(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new CommandError(`${folder} is not a backup: it has no ${MANIFEST}`)
  })
  const manifest = ManifestFile.safeParse(parseJson(text))
  if (!manifest.success) throw new CommandError(`${join(folder, MANIFEST)} cannot be read`)
  const files = Object.entries(manifest.data.sha256)
  for (const [file, sha256] of files) {
    if (!resolve(folder, file).startsWith(resolve(folder) + sep)) throw new CommandError(`${file} lies outside of the backup`)
    const found = await sha256Of(join(folder, file)).catch(() => null)
    if (found === null) throw new CommandError(`${file} is missing from the backup`)
    const damage = found === sha256 ? integrityError(join(folder, file)) : 'it has changed since the backup was made'
    if (damage !== null) throw new CommandError(`${file} is damaged: ${damage}`)
  }
  return files.map(([file]) => file)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function requireEmptyFolder(folder: string): Promise<void> {
  const entries = await readdir(folder).catch(() => [])
  if (entries.length > 0) throw new CommandError(`${folder} is not empty: move it away first, nothing is ever overwritten`)
}
