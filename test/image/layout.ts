/** The image's files in a folder, without a container engine: what the Dockerfile copies, and nothing else. */
import { constants, existsSync, readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderWith } from '../adapters/folder.js'
import { commandOf, copiesOf, type Instruction, wordsOf } from './dockerfile.js'

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url))

export interface Image {
  folder: string
  /** The module that the entry point starts. */
  main: string
  /** Arguments of the program when its health is asked for. */
  healthCheck: readonly string[]
  environment: Record<string, string>
  /** The file that the command `vitrine` is a link to. */
  command: string
}

/** Removed after the test. */
export async function layOut(stages: readonly (readonly Instruction[])[]): Promise<Image> {
  const stage = stages.at(-1) ?? []
  const folder = folderWith()
  for (const { sources, target } of copiesOf(stage)) {
    for (const source of sources) {
      if (source === 'node_modules') await copyProductionPackages(folder)
      else await copy(source, join(folder, target.endsWith('/') ? join(target, basename(source)) : target))
    }
  }
  const [node, entry = ''] = commandOf(wordsOf(stage, 'ENTRYPOINT')[0] ?? [])
  const [checker, checkedEntry, ...healthCheck] = commandOf(wordsOf(stage, 'HEALTHCHECK')[0] ?? [])
  if (node !== 'node' || checker !== 'node' || checkedEntry !== entry) throw new Error('the image starts something else than the program')
  const variables = wordsOf(stage, 'ENV').flatMap((words) => words.map((word) => word.split('=', 2) as [string, string]))
  const [[workdir = ''] = []] = wordsOf(stage, 'WORKDIR')
  const link = wordsOf(stage, 'RUN').find((words) => words.at(-1) === '/usr/local/bin/vitrine')
  const command = join(folder, relative(workdir, link?.at(-2) ?? ''))
  return { folder, main: join(folder, entry), command, healthCheck, environment: Object.fromEntries(variables) }
}

/** What `npm prune --omit=dev` leaves, by the lock file. */
async function copyProductionPackages(folder: string): Promise<void> {
  const lock = readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8')
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(lock)
  for (const [path, { dev }] of Object.entries(packages)) {
    // One that was built for another system is not installed here.
    if (path !== '' && dev !== true && existsSync(join(CHECKOUT, path))) await copy(path, join(folder, path))
  }
}

/** Packages inside of a package have entries of their own in the lock file. */
const copy = (source: string, target: string): Promise<void> =>
  cp(join(CHECKOUT, source), target, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => path === join(CHECKOUT, source) || basename(path) !== 'node_modules',
  })
