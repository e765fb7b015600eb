import { Console } from 'node:console'
import type { Readable, Writable } from 'node:stream'
import { STOP_SIGNALS } from '../lib/signals.js'

/** A terminal also knows its size. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }

/** What commands use of the process they run in. Tests pass their own, to run many commands in one process. */
export interface HostProcess {
  readonly stdin: Readable
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  once(signal: (typeof STOP_SIGNALS)[number], listener: () => void): unknown
  off(signal: (typeof STOP_SIGNALS)[number], listener: () => void): unknown
  exit(): void
}

/** The standard streams of a command, and the signals that stop it. */
export class Io {
  readonly #process: HostProcess
  readonly #console: Console

  constructor(process: HostProcess) {
    this.#process = process
    // Like the global console, it ignores a closed standard error.
    this.#console = new Console({ stdout: process.stdout, stderr: process.stderr })
  }

  /** Read on demand: reading the property opens the stream. */
  get stdin(): Readable {
    return this.#process.stdin
  }

  get stdout(): OutputStream {
    return this.#process.stdout
  }

  get stderr(): OutputStream {
    return this.#process.stderr
  }

  /** A line on standard output. */
  print(line: string): void {
    this.#console.log(line)
  }

  /** A line on standard error. */
  warn(line: string): void {
    this.#console.error(line)
  }

  /** Each signal is heard once; a second one has its usual effect. Returns a function that stops listening. */
  onStop(listener: () => void): () => void {
    for (const signal of STOP_SIGNALS) this.#process.once(signal, listener)
    return () => {
      for (const signal of STOP_SIGNALS) this.#process.off(signal, listener)
    }
  }

  /** Ends the process if it still runs then. */
  exitAfter(ms: number): void {
    setTimeout(() => this.#process.exit(), ms).unref()
  }
}
