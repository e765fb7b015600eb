import { nearestWord } from '../lib/nearest-word.js'
import { catalogue, splitType } from './catalogue.js'
import type { EventType, OwnEvent } from './event-type.js'

/** The event types that the log is read with, by name: ours, and those of custom models. */
export class EventTypes {
  readonly #types: ReadonlyMap<string, EventType>
  /** As envelopes write them: every event is looked up here. */
  readonly #written: ReadonlyMap<string, VersionedType>

  constructor(types: ReadonlyMap<string, EventType>) {
    this.#types = types
    this.#written = new Map([...types].flatMap(([name, type]) => versionsOf(name, type)))
  }

  /** Also these, beside ours. */
  with(own: readonly OwnEvent[]): EventTypes {
    if (own.length === 0) return this
    return new EventTypes(new Map([...this.#types, ...own.map((type) => [type.name, withPeople(type, own)] as const)]))
  }

  get(name: string): EventType | undefined {
    return this.#types.get(name)
  }

  /** By the type as an envelope writes it, `creation.published.v2`. The version may be one that the type does not have. */
  find(written: string): VersionedType | undefined {
    const known = this.#written.get(written)
    if (known !== undefined) return known
    const { name, version } = splitType(written) ?? { name: '', version: 0 }
    const type = this.#types.get(name)
    return type && { name, version, type }
  }

  get names(): string[] {
    return [...this.#types.keys()]
  }

  /** In the order in which their first types were declared. */
  get aggregates(): string[] {
    return [...new Set([...this.#types.values()].map(({ aggregate }) => aggregate))]
  }

  entries(): [name: string, type: EventType][] {
    return [...this.#types]
  }

  /** The ids of people in an event's data. */
  peopleIn({ name, data }: { name: string; data: unknown }): string[] {
    const type = this.#types.get(name)
    if (type === undefined || 'sameAs' in type.people || typeof data !== 'object' || data === null) return []
    const fields = new Map<string, unknown>(Object.entries(data))
    return type.people.flatMap((field) => fields.get(field)).filter((value) => typeof value === 'string')
  }

  /** The type that an unknown one probably means, in the same version if there is one. */
  nearest(type: string): string | undefined {
    const { name, version } = splitType(type) ?? { name: type, version: 0 }
    const meant = nearestWord(name, this.names)
    const known = meant === undefined ? undefined : this.#types.get(meant)
    return known && `${meant}.v${version >= 1 && version <= known.version ? version : known.version}`
  }
}

/** Words in an event that names nobody are those of whom the only other type of its aggregate names. */
function withPeople(type: OwnEvent, own: readonly OwnEvent[]): OwnEvent {
  if (type.redact === null || namesPeople(type)) return type
  const [only, another] = own.filter((other) => other.aggregate === type.aggregate && namesPeople(other))
  return only === undefined || another !== undefined || 'sameAs' in type.people ? type : { ...type, people: { sameAs: only.name } }
}

export const namesPeople = ({ people }: EventType): boolean => !('sameAs' in people) && people.length > 0

interface VersionedType {
  name: string
  version: number
  type: EventType
}

const versionsOf = (name: string, type: EventType): [written: string, VersionedType][] =>
  Array.from({ length: type.version }, (_, i) => [`${name}.v${i + 1}`, { name, version: i + 1, type }])

/** The types of the private backend. */
export const builtInEvents = new EventTypes(new Map(Object.entries(catalogue)))
