import { AGGREGATES, type AnyEvent, type Decoded, decode, type EventType, type EventTypes } from '../../events/index.js'
import type { LogRecord } from '../../ports/event-log.js'

/**
 * Which events on aggregates of own models hold data of one person. Those that cannot be read, and those of models that are no
 * longer there, count if an unreadable one of their aggregate names the person: nothing says whose they are.
 */
export class OwnEventsOf {
  readonly #person: string
  readonly #types: EventTypes
  /** `garden/g_1 garden.planted`: an event of that type names the person there. */
  readonly #naming = new Set<string>()
  /** Aggregates with an unreadable event that names the person. */
  readonly unreadable = new Set<string>()

  constructor(person: string, types: EventTypes) {
    this.#person = person
    this.#types = types
  }

  note({ subject, payload }: LogRecord, decoded: Decoded): void {
    if (!isOwn(subject)) return
    if (decoded.outcome === 'event') {
      const { event } = decoded
      if (namesPerson(this.#types.get(event.name), event, this.#person)) this.#naming.add(`${subject} ${event.name}`)
    } else if (payload.includes(`"${this.#person}"`)) this.unreadable.add(subject)
  }

  /** Once all have been noted. */
  includes(record: LogRecord): boolean {
    const { subject } = record
    if (!isOwn(subject)) return false
    const decoded = decode(record, this.#types)
    if (decoded.outcome !== 'event') return this.unreadable.has(subject)
    const { event } = decoded
    const type = this.#types.get(event.name)
    if (type !== undefined && 'sameAs' in type.people) return this.#naming.has(`${subject} ${type.people.sameAs}`)
    return namesPerson(type, event, this.#person)
  }
}

const isOwn = (subject: string): boolean => !AGGREGATES.some((kind) => subject.startsWith(`${kind}/`))

/** Whether the fields of its people hold this id. */
export function namesPerson(type: EventType | undefined, { data }: AnyEvent, person: string): boolean {
  if (type === undefined || 'sameAs' in type.people || typeof data !== 'object' || data === null) return false
  const fields = new Map<string, unknown>(Object.entries(data))
  return type.people.some((field) => {
    const value = fields.get(field)
    return value === person || (Array.isArray(value) && value.includes(person))
  })
}
