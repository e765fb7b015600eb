import { AGGREGATES, type Decoded, decode, type EventTypes } from '../../events/index.js'
import type { LogRecord } from '../../ports/event-log.js'

/**
 * Which events on aggregates of own models hold data of one person. Those that name nobody, that cannot be read, or whose models are
 * no longer there, count if any of their aggregate names the person: nothing else says whose they are.
 */
export class OwnEventsOf {
  readonly #person: string
  readonly #types: EventTypes
  /** Aggregates with any event that names the person. */
  readonly aggregates = new Set<string>()

  constructor(person: string, types: EventTypes) {
    this.#person = person
    this.#types = types
  }

  note({ subject, payload }: LogRecord, decoded: Decoded): void {
    if (!isOwn(subject)) return
    const names =
      decoded.outcome === 'event' ? this.#types.peopleIn(decoded.event).includes(this.#person) : payload.includes(`"${this.#person}"`)
    if (names) this.aggregates.add(subject)
  }

  /** Once all have been noted. */
  includes(record: LogRecord): boolean {
    const { subject } = record
    if (!isOwn(subject)) return false
    const decoded = decode(record, this.#types)
    if (decoded.outcome !== 'event') return this.aggregates.has(subject)
    const people = this.#types.peopleIn(decoded.event)
    return people.length === 0 ? this.aggregates.has(subject) : people.includes(this.#person)
  }
}

const isOwn = (subject: string): boolean => !AGGREGATES.some((kind) => subject.startsWith(`${kind}/`))
