/** The compiled program as a child process, as people run it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { serverPorts } from '../servers/ports.js'
import { listening } from '../support/listening.js'

export const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export interface Finished {
  code: number | null
  /** The signal that ended it, if any. */
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  /** Its standard input. */
  input?: string
  /** The entry of another release of the program. */
  main?: string
  /** SIGINT is sent as soon as this resolves. */
  interrupt?: () => Promise<unknown>
}

/** Runs a command to its end. */
export async function spawnVitrine(
  args: readonly string[],
  { env = {}, input = '', main = MAIN, interrupt }: RunOptions = {},
): Promise<Finished> {
  const child = launch(main, args, env)
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  void interrupt?.().then(() => child.kill('SIGINT'))
  const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, signal, stdout, stderr }
}

/** Starts a command, and ends it with the test. */
export function startVitrine(t: Pick<Test, 'teardown'>, args: readonly string[], env: Record<string, string> = {}) {
  const child = launch(MAIN, args, env)
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

/** Only what is named here: variables of the shell that runs the tests must not reach the program. */
export const environmentOf = (env: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  TMPDIR: tmpdir(),
  LOG_LEVEL: 'warn',
  ...env,
})

function launch(main: string, args: readonly string[], env: Record<string, string>) {
  // A program from elsewhere must not find this checkout's files in the folder it works in.
  const elsewhere = main === MAIN ? {} : { cwd: dirname(main) }
  return spawn(process.execPath, [main, ...args], { ...elsewhere, env: environmentOf(env), stdio: ['pipe', 'pipe', 'pipe'] })
}

interface Ports {
  api: number
  web: number
  admin: number
}

export function serveArguments(folder: string, { api, web, admin }: Ports, args: readonly string[]): string[] {
  const ports = ['--api-port', String(api), '--web-port', String(web), '--admin-port', String(admin)]
  return [
    'serve',
    '--data-dir',
    folder,
    '--rate-limit-public',
    'off',
    '--rate-limit-pages',
    'off',
    '--max-connections-per-caller',
    'off',
    ...ports,
    ...args,
  ]
}

/** A `vitrine serve` on its own ports. */
export class Serving {
  readonly api: number
  readonly web: number
  readonly admin: number
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown[]>
  stdout = ''
  stderr = ''

  /** Ends with the test. */
  static async start(
    t: Pick<Test, 'teardown'>,
    folder: string,
    args: readonly string[] = [],
    env: Record<string, string> = {},
    main = MAIN,
  ): Promise<Serving> {
    const serving = new Serving(folder, args, env, await serverPorts(3), main)
    t.teardown(() => serving.end('SIGKILL'))
    return serving
  }

  private constructor(
    folder: string,
    args: readonly string[],
    env: Record<string, string>,
    [api = 0, web = 0, admin = 0]: readonly number[],
    main: string,
  ) {
    this.api = api
    this.web = web
    this.admin = admin
    const child = launch(main, serveArguments(folder, { api, web, admin }, args), env)
    this.#child = child
    this.#exit = once(child, 'exit')
    child.stdout.on('data', (chunk) => (this.stdout += chunk))
    child.stderr.on('data', (chunk) => (this.stderr += chunk))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Resolves when the URLs have been printed, which is when every model can be read. */
  async ready(): Promise<void> {
    const exited = this.#exit.then(([code]) => {
      throw new Error(`serve ended with ${code} before it was ready: ${this.stderr}`)
    })
    // When it is ready already, nothing awaits this promise; its rejection must not count as unhandled.
    exited.catch(() => {})
    while (!this.stdout.includes('}') && !this.stdout.includes('Stop with')) {
      await Promise.race([this.#child.stdout ? once(this.#child.stdout, 'data') : exited, exited])
    }
  }

  /** SIGSTOP freezes it, SIGCONT resumes it. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Resolves with the exit code, or with the signal that ended it. */
  async end(signal: NodeJS.Signals): Promise<unknown> {
    if (this.isRunning) this.#child.kill(signal)
    const [code, by] = await this.#exit
    return code ?? by
  }
}

/** Ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(servers.map(listening))
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** A port that is in use for as long as the test runs. */
export async function takenPort(t: Pick<Test, 'teardown'>): Promise<number> {
  const server = createServer()
  t.teardown(() => server.close())
  return listening(server)
}

/** The errors of a service. On a busy machine a lease may expire, after which the service leads again by itself. */
export const complaints = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => !/the lead was lost to another projector/.test(line))
    .join('\n')
