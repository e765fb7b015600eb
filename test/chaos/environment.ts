import type { SeededRandom } from '../../demo/random.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { EventLog } from '../../src/ports/event-log.js'
import type { EventStore } from '../../src/ports/event-store.js'
import type { Installation, Role } from './installation.js'

/** What an installation stands on: its stores, and what can go wrong with them. */
export interface Environment {
  folder: string
  /** What every process is told about it. */
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
  /** Two faults with the same one do not happen at the same time. */
  target: string
  /** How often, compared with others. */
  weight: number
  /** Comes and goes: when this settles, it is over. */
  run(installation: Installation, dice: SeededRandom): Promise<void>
}

/** Ends what was begun, in the opposite order. */
export class Teardowns {
  readonly #teardowns: (() => unknown)[] = []

  teardown(teardown: () => unknown): void {
    this.#teardowns.unshift(teardown)
  }

  async run(): Promise<void> {
    for (const teardown of this.#teardowns.splice(0)) await teardown()
  }
}
