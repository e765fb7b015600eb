/** What a command uses of its process: standard streams and signals. */

import { Console } from 'node:console'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { exitCodeOf, STOP_SIGNALS } from '../lib/signals.js'
import { visibleText } from '../lib/visible-text.js'

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

  /** Lines on standard output. Every command prints text from outside, so a line break within a line is shown, too. */
  print(lines: string | readonly string[]): void {
    this.#console.log(visibleLines(lines))
  }

  /** Lines on standard error. */
  warn(lines: string | readonly string[]): void {
    this.#console.error(visibleLines(lines))
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

export const visibleLines = (lines: string | readonly string[]): string => [lines].flat().map(visibleText).join('\n')

/** A program started by npm gets the terminal's signal a second time, from npm. */
const ECHO_MS = 500

/** Ctrl+C while a command waits: the first is recorded here, the second ends the process at once. */
export class InterruptListener {
  signal: NodeJS.Signals | null = null
  #at = 0

  listen(): void {
    for (const name of STOP_SIGNALS) process.on(name, this.#onSignal)
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    if (this.signal === null) {
      this.signal = signal
      this.#at = performance.now()
    } else if (performance.now() - this.#at > ECHO_MS) {
      this.stopListening()
      process.kill(process.pid, signal)
    }
  }

  stopListening(): void {
    for (const name of STOP_SIGNALS) process.off(name, this.#onSignal)
  }

  /** Ends the process as the signal would have, so that its parent can tell. */
  async exitBySignal(): Promise<never> {
    const signal = this.signal ?? 'SIGINT'
    process.kill(process.pid, signal)
    // If something else listens for the signal, it arrives in a later turn, if at all.
    await delay(ECHO_MS)
    process.exit(exitCodeOf(signal))
  }
}
