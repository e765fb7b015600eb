import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** Started by npm, a program gets what the terminal sends once more from there. */
const ECHO_MS = 500

/** Ctrl+C while something is waited for: the first is heard here, the second ends the process at once as it always does. */
export class InterruptListener {
  signal: NodeJS.Signals | null = null
  #at = 0

  constructor() {
    for (const name of SIGNALS) process.on(name, this.#onSignal)
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
    for (const name of SIGNALS) process.off(name, this.#onSignal)
  }

  /** Ends the process as the signal would have: whoever started it can tell. */
  async exitBySignal(): Promise<never> {
    const signal = this.signal ?? 'SIGINT'
    process.kill(process.pid, signal)
    // Where somebody else listens for it as well, it comes with a later turn, if at all.
    await delay(ECHO_MS)
    process.exit(128 + constants.signals[signal])
  }
}
