/** MongoDB's shell, which runs the health check of compose.yaml. npm has it, with hundreds of packages, so it is kept in the cache. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder, onPath, type Skippable, skipWithout } from './binary.js'

const VERSION = '2.12.0'
/** The registry may not answer. */
const GUARD_MS = 180_000
const PROGRAM = join('node_modules', '.bin', 'mongosh')

/** Its path, or null if it is not available; `t` then says so. */
export async function mongosh(t: Skippable): Promise<string | null> {
  try {
    return (await onPath('mongosh'))?.path ?? (await cached())
  } catch (error) {
    return skipWithout(t, 'mongosh', error)
  }
}

/** Installed beside its place and renamed at the end, as the servers are. */
async function cached(): Promise<string> {
  const folder = join(cacheFolder(), `mongosh-${VERSION}`)
  const program = join(folder, PROGRAM)
  if (existsSync(program)) return program
  await mkdir(cacheFolder(), { recursive: true })
  const work = await mkdtemp(join(cacheFolder(), '.mongosh-'))
  try {
    const args = ['install', '--prefix', work, '--ignore-scripts', '--no-audit', '--no-fund', `mongosh@${VERSION}`]
    await promisify(execFile)('npm', args, { timeout: GUARD_MS })
    await rename(work, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return program
}
