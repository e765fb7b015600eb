/** Follows docs/add-a-read-model.md as it is written, in a folder that has the package. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { environmentOf } from '../harness/program.js'
import { eventually } from '../ports/subject.js'
import { serverPorts } from '../servers/ports.js'

const GUIDE = readFileSync('docs/add-a-read-model.md', 'utf8')

/** The files that the guide writes, by their path. */
export const tutorialFiles = new Map(
  [...GUIDE.matchAll(/^## [^\n]*`([^`\n]+\.\w+)`\n.*?```(?:ts|json)\n(.*?)```/gms)].map(([, path = '', code = '']) => [path, code]),
)

/** The blocks of commands, in their order. */
const BLOCKS = [...GUIDE.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = '']) => lines)
const NAMES = ['setUp', 'list', 'spec', 'serve', 'rest', 'batchAndMcp', 'late', 'read', 'client', 'erase', 'redact'] as const
if (BLOCKS.length !== NAMES.length) throw new Error('the guide has other commands than this test knows')
// As many as there are names.
const COMMANDS = Object.fromEntries(NAMES.map((name, i) => [name, BLOCKS[i]])) as Record<(typeof NAMES)[number], string>

export class Tutorial {
  readonly #t: Test
  readonly #folder: string
  readonly #env: NodeJS.ProcessEnv
  readonly #api: number
  readonly #web: number

  /** Writes the files of the guide into a folder that has the package. */
  static async begin(t: Test, folder: string): Promise<Tutorial> {
    const [api = 0, web = 0, admin = 0] = await serverPorts(3)
    const tutorial = new Tutorial(t, folder, api, web, admin)
    for (const [path, code] of tutorialFiles) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), tutorial.#here(code))
    }
    return tutorial
  }

  private constructor(t: Test, folder: string, api: number, web: number, admin: number) {
    this.#t = t
    this.#folder = folder
    this.#api = api
    this.#web = web
    this.#env = environmentOf({ HOME: folder, API_PORT: String(api), WEB_PORT: String(web), ADMIN_PORT: String(admin) })
  }

  /** Everything before it is served. */
  async specify(): Promise<void> {
    await this.#run(COMMANDS.setUp)
    this.#t.match(await this.#run(COMMANDS.list), /^wishes +v1 +custom +x_wishes_get_wish, x_wishes_list_wishes, x_wishes_count_wishes$/m)
    await this.#run(COMMANDS.spec)
  }

  /** The rest. */
  async serve(): Promise<void> {
    const t = this.#t
    const serving = this.#start(COMMANDS.serve)
    t.teardown(() => serving.exitCode === null && serving.signalCode === null && process.kill(-(serving.pid ?? 0), 'SIGKILL'))
    const said = listen(serving)
    while (!said().includes('Stop with')) await Promise.race([once(serving.stdout ?? serving, 'data'), once(serving, 'close')])
    const shown = { note: 'The same for the river', granted: false, creation: { title: String, creator: { handle: String } } }
    t.match(JSON.parse(await this.#run(COMMANDS.rest)), { code: 0, data: shown }, 'REST, with a card')
    const [batch = '', mcp = ''] = (await this.#run(COMMANDS.batchAndMcp)).split(/(?<=\})(?=\{"(?:result|jsonrpc))/)
    t.match(JSON.parse(batch), { responses: [{ status: 200, data: shown }] }, 'batch')
    t.match(JSON.parse(mcp), { result: { structuredContent: shown } }, 'MCP')

    await this.#run(COMMANDS.late)
    await eventually(async () => (await this.#get('/of/u_9')).data?.items?.length === 2)
    const [wishes = '', open = ''] = (await this.#run(COMMANDS.read)).split(/(?<=\})(?=\{"code)/)
    const both = [
      { note: 'A moon clock', granted: true },
      { note: 'A tide clock', granted: false },
    ]
    t.match(JSON.parse(wishes), { data: { items: both, next_cursor: null } })
    t.match(JSON.parse(open), { data: { open: 1 } })
    t.match(await this.#run(COMMANDS.client), /^1 open\nA moon clock\nA tide clock$/m)

    await this.#run(COMMANDS.erase)
    await eventually(async () => (await this.#get('/w_8')).error === 'not_found')
    t.match(await this.#get('/of/u_9'), { data: { items: [], next_cursor: null } })
    t.match(await this.#get('/of/u_9/open'), { error: 'not_found' })
    await this.#run(COMMANDS.redact)
    process.kill(-(serving.pid ?? 0), 'SIGINT')
    await once(serving, 'close')
    t.notMatch(said(), /"level":"(?:warn|error)"/)
    t.notMatch(await readFile(join(this.#folder, 'data/log/events.db'), 'latin1'), /moon clock/)
  }

  /** With the ports of this run. */
  #here(text: string): string {
    return text.replaceAll('127.0.0.1:3000', `127.0.0.1:${this.#api}`).replaceAll('127.0.0.1:3001', `127.0.0.1:${this.#web}`)
  }

  #start(lines: string): ChildProcess {
    return spawn('sh', ['-ec', this.#here(lines)], { cwd: this.#folder, env: this.#env, detached: true })
  }

  async #run(lines: string): Promise<string> {
    const child = this.#start(lines)
    const said = listen(child)
    const [code] = await once(child, 'close')
    this.#t.equal(code, 0, `${lines}${said()}`)
    return said()
  }

  async #get(path: string): Promise<{ error?: string; data?: { items?: unknown[] } }> {
    // The answers of this service have these fields.
    return (await fetch(`http://127.0.0.1:${this.#api}/public/share/x/wishes${path}`)).json() as Promise<object>
  }
}

function listen(child: ChildProcess): () => string {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  return () => said
}
