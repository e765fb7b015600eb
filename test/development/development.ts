/** `npm run dev` in a copy of this checkout, whose sources a test edits. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { folderWith } from '../adapters/folder.js'
import { environmentOf, serveArguments } from '../harness/program.js'
import { serverPorts } from '../servers/ports.js'

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url))
const COPIED =
  'src projections readmodels demo content public assets docs scripts package.json tsconfig.json tsconfig.program.json README.md CHANGELOG.md CONTRIBUTING.md'

export interface Hosts {
  api: number
  web: number
  admin: number
}

/** Removed after the test. */
export async function copyCheckout(): Promise<string> {
  const folder = folderWith()
  for (const name of COPIED.split(' ')) await cp(join(CHECKOUT, name), join(folder, name), { recursive: true })
  await symlink(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

export async function hosts(): Promise<Hosts> {
  const [api = 0, web = 0, admin = 0] = await serverPorts(3)
  return { api, web, admin }
}

export class Development {
  readonly hosts: Hosts
  readonly #folder: string
  readonly #child: ChildProcess
  /** Standard output and error, in the order they came. */
  printed = ''

  /** Ends with the test. */
  static start(t: Pick<Test, 'teardown'>, folder: string, dataFolder: string, listeners: Hosts): Development {
    const development = new Development(folder, dataFolder, listeners)
    t.teardown(() => development.#child.kill('SIGKILL'))
    return development
  }

  private constructor(folder: string, dataFolder: string, listeners: Hosts) {
    this.#folder = folder
    this.hosts = listeners
    const [, ...args] = serveArguments(dataFolder, listeners, [])
    const child = spawn(process.execPath, [join(folder, 'scripts/dev/index.mjs'), ...args], {
      env: environmentOf({}),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (this.printed += text))
    this.#child = child
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether its compiled program is there. */
  get hasOutput(): boolean {
    return existsSync(join(this.#folder, '.dev'))
  }

  async edit(path: string, change: (text: string) => string): Promise<void> {
    const file = join(this.#folder, path)
    const text = await readFile(file, 'utf8')
    const changed = change(text)
    if (changed === text) throw new Error(`${path} has nothing to change like that`)
    await writeFile(file, changed)
  }

  delete(path: string): Promise<void> {
    return rm(join(this.#folder, path), { recursive: true })
  }

  restore(path: string): Promise<void> {
    return cp(join(CHECKOUT, path), join(this.#folder, path), { recursive: true })
  }

  /** Resolves once this has been printed after the given length of output; fails if it ends before. */
  async says(what: string | RegExp, after = 0): Promise<void> {
    while (this.printed.slice(after).search(what) < 0) {
      if (this.#child.exitCode !== null) throw new Error(`it ended without "${what}": ${this.printed}`)
      await Promise.race([
        once(this.#child.stdout ?? this.#child, 'data'),
        once(this.#child.stderr ?? this.#child, 'data'),
        once(this.#child, 'exit'),
      ])
    }
  }

  /** Resolves with the exit code. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal !== undefined) this.#child.kill(signal)
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
    return this.#child.exitCode
  }
}
