import type { SeededRandom } from '../../demo/random.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { EventLog } from '../../src/ports/event-log.js'
import type { EventStore } from '../../src/ports/event-store.js'
import type { Installation, Role } from './installation.js'

/** The stores that an installation uses, and the faults that can hit it. */
export interface Environment {
  folder: string
  /** The flags that every process is started with. */
  flags: readonly string[]
  log: EventLog
  documents: DocumentStore
  jobs: EventStore
  roles: readonly Role[]
  faults: readonly Fault[]
  close(): Promise<void>
}

export interface Fault {
  name: string
  /** Two faults with the same target do not happen at the same time. */
  target: string
  /** How often it happens, compared with others. */
  weight: number
  /** Resolves when the fault is over. */
  run(installation: Installation, dice: SeededRandom): Promise<void>
}

/** Runs teardowns in reverse order. */
export class TeardownStack {
  readonly #teardowns: (() => unknown)[] = []

  teardown(teardown: () => unknown): void {
    this.#teardowns.unshift(teardown)
  }

  async run(): Promise<void> {
    for (const teardown of this.#teardowns.splice(0)) await teardown()
  }
}
