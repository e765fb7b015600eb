import type { SeededRandom } from '../../demo/random.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { EventLog } from '../../src/ports/event-log.js'
import type { EventStore } from '../../src/ports/event-store.js'
import type { Household, Member } from './installation.js'

/** What an installation stands on: its stores, and what can go wrong with them. */
export interface Site {
  folder: string
  /** What every process is told about it. */
  flags: readonly string[]
  log: EventLog
  documents: DocumentStore
  jobs: EventStore
  members: readonly Member[]
  troubles: readonly Trouble[]
  close(): Promise<void>
}

export interface Trouble {
  name: string
  /** Two troubles with the same one do not happen at the same time. */
  with: string
  /** How often, compared with others. */
  weight: number
  /** Comes and goes: when this settles, it is over. */
  strike(household: Household, dice: SeededRandom): Promise<void>
}

/** Ends what was begun, in the opposite order. */
export class Endings {
  readonly #endings: (() => unknown)[] = []

  teardown(ending: () => unknown): void {
    this.#endings.unshift(ending)
  }

  async run(): Promise<void> {
    for (const ending of this.#endings.splice(0)) await ending()
  }
}
