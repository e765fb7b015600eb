import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binary } from './binary.js'

export interface Command {
  binary: Binary
  args: readonly string[]
  /** Rejects, or says no, for as long as the server cannot serve yet. */
  ready(): Promise<boolean>
}

/** A server as a child process: killed and started again with the same data on the same port, as often as a test likes. */
export class ServerProcess {
  readonly #command: Command
  #child: ChildProcess | null = null
  #output = ''

  constructor(command: Command) {
    this.#command = command
    // A test process that dies takes its servers with it.
    process.once('exit', () => this.#child?.kill('SIGKILL'))
  }

  /** Starts the process without waiting until it serves: members of a cluster wait for each other. */
  launch(more: readonly string[] = []): void {
    const { binary, args } = this.#command
    const child = spawn(binary.path, [...args, ...more], { env: { ...process.env, ...binary.env }, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (this.#output = (this.#output + chunk).slice(-4000)))
    this.#child = child
  }

  /** With more arguments than before, if any. */
  async start(more: readonly string[] = []): Promise<void> {
    this.launch(more)
    await this.ready()
  }

  /** The test's own timeout is the bound. */
  async ready(): Promise<void> {
    for (;;) {
      if (await this.#command.ready().catch(() => false)) return
      if (!this.running) throw new Error(`${this.#command.binary.path} ended before it was ready: ${this.#output}`)
      await pause(20)
    }
  }

  get running(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** SIGSTOP and SIGCONT make it stall and go on. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Settles when the process is gone. By default it gets no chance to say goodbye. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (child === null || !this.running) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
}
