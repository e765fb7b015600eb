/** Another release of the program: a copy of this one in another folder, with another version of the feed. */
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderWith } from '../adapters/folder.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FEED = 'dist/projections/feed/index.js'

/** The entry of a release that takes the feed's documents for those of this version. */
export async function releaseWithFeed(version: number): Promise<string> {
  const folder = folderWith()
  for (const name of await readdir(ROOT)) if (name !== 'dist') await symlink(join(ROOT, name), join(folder, name))
  for (const part of ['src', 'projections', 'readmodels', 'demo', 'content'])
    await cp(join(ROOT, 'dist', part), join(folder, 'dist', part), { recursive: true })
  const source = await readFile(join(folder, FEED), 'utf8')
  const changed = source.replace(/(name: 'feed',\s*version: )\d+/, `$1${version}`)
  if (changed === source) throw new Error(`the version of the feed is not where it was, or is ${version} already`)
  await writeFile(join(folder, FEED), changed)
  return join(folder, 'dist/src/main.js')
}
