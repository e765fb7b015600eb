import { setTimeout as delay } from 'node:timers/promises'
import { exitCodeOf, STOP_SIGNALS } from '../lib/signals.js'

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
