/** Runs commands of the program in this process, because a new process for each would take a second to start. */
import { EventEmitter, once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { type HostProcess, Io } from '../../src/cli/io.js'
import { runCommand } from '../../src/cli/run-command.js'
import { environmentOf, type Finished, type RunOptions } from './program.js'

// Child processes of a command get the program's Node flags, not those of the test runner.
process.execArgv.length = 0

interface Window {
  columns: number
  rows: number
}

type CommandOptions = Pick<RunOptions, 'env' | 'input'> & {
  /** Standard output and standard error are a terminal of this size. */
  window?: Window
}

/** Runs a command to its end. An error that would have crashed the program is thrown. */
export const vitrine = (args: readonly string[], options?: CommandOptions): Promise<Finished> => new RunningCommand(args, options).ended

/** Keeps what is written to it. */
class Written extends Writable {
  text = ''
  readonly isTTY?: boolean
  columns?: number
  rows?: number

  constructor(window?: Window) {
    super({ decodeStrings: false })
    if (window !== undefined) Object.assign(this, { isTTY: true, ...window })
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk
    this.emit('written')
    done()
  }
}

/** Stands in for the process of a command. */
export class TestProcess extends EventEmitter implements HostProcess {
  readonly stdin: Readable
  readonly stdout: Written
  readonly stderr: Written
  readonly #sent = new Set<string>()

  constructor(input = '', window?: Window) {
    super()
    this.stdin = Readable.from(input === '' ? [] : [input])
    this.stdout = new Written(window)
    this.stderr = new Written(window)
  }

  /** Also resolves for a signal that came before the call. */
  override once(name: string, listener: () => void): this {
    if (this.#sent.has(name)) queueMicrotask(listener)
    return super.once(name, listener)
  }

  send(signal: NodeJS.Signals): void {
    this.#sent.add(signal)
    this.emit(signal)
  }

  /** Does nothing: what is still open is closed by the test. */
  exit(): void {}
}

/** A running command: a test can read its output, send it signals and wait for its end. */
export class RunningCommand {
  readonly ended: Promise<Finished>
  readonly #process: TestProcess

  constructor(args: readonly string[], { env = {}, input = '', window }: CommandOptions = {}) {
    this.#process = new TestProcess(input, window)
    this.ended = this.#run(args, env)
  }

  get stdout(): string {
    return this.#process.stdout.text
  }

  get stderr(): string {
    return this.#process.stderr.text
  }

  /** For `serve` and `status --watch`, which handle signals. The other commands leave signals to the process. */
  signal(signal: 'SIGINT' | 'SIGTERM'): void {
    this.#process.send(signal)
  }

  resize(window: Window): void {
    Object.assign(this.#process.stdout, window).emit('resize')
  }

  /** Resolves once it has printed a match to standard output or standard error; rejects if it ends before. */
  async until(stream: 'stdout' | 'stderr', text: RegExp): Promise<void> {
    const ended = this.ended.then(() => {
      throw new Error(`ended before it wrote ${text}: ${this.stdout}${this.stderr}`)
    })
    ended.catch(() => {})
    while (!text.test(this[stream])) await Promise.race([once(this.#process[stream], 'written'), ended])
  }

  async #run(args: readonly string[], env: Record<string, string>): Promise<Finished> {
    const code = await runCommand([...args], environmentOf(env), new Io(this.#process))
    return { code, signal: null, stdout: this.stdout, stderr: this.stderr }
  }
}
