import { AGGREGATES, type Decoded, decode, type EventTypes } from '../../events/index.js'
import type { LogRecord } from '../../ports/event-log.js'

/**
 * Which events on aggregates of custom models hold data of one person. Those that cannot be read, and those of models that are no
 * longer there, count if any of their aggregate names the person: nothing says whose they are.
 */
export class OwnEventsOf {
  readonly #person: string
  readonly #types: EventTypes
  /** `garden/g_1 garden.planted`: an event of that type names the person there. */
  readonly #naming = new Set<string>()
  /** Aggregates with an unreadable event that names the person. */
  readonly #unreadable = new Set<string>()
  /** Aggregates with any event that names the person. */
  readonly aggregates = new Set<string>()

  constructor(person: string, types: EventTypes) {
    this.#person = person
    this.#types = types
  }

  note({ subject, payload }: LogRecord, decoded: Decoded): void {
    if (!isOwn(subject)) return
    if (decoded.outcome === 'event') {
      const { event } = decoded
      if (!this.#types.peopleIn(event).includes(this.#person)) return
      this.#naming.add(`${subject} ${event.name}`)
    } else if (payload.includes(`"${this.#person}"`)) this.#unreadable.add(subject)
    else return
    this.aggregates.add(subject)
  }

  /** Once all have been noted. */
  includes(record: LogRecord): boolean {
    const { subject } = record
    if (!isOwn(subject)) return false
    const decoded = decode(record, this.#types)
    if (decoded.outcome !== 'event') return this.aggregates.has(subject)
    const { event } = decoded
    const type = this.#types.get(event.name)
    // The unreadable one may be the one that says whose they are.
    if (type !== undefined && 'sameAs' in type.people)
      return this.#naming.has(`${subject} ${type.people.sameAs}`) || this.#unreadable.has(subject)
    return this.#types.peopleIn(event).includes(this.#person)
  }
}

const isOwn = (subject: string): boolean => !AGGREGATES.some((kind) => subject.startsWith(`${kind}/`))
