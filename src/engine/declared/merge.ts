/** What an event's word makes of a document, register by register. */
import type { AnyEvent } from '../../events/index.js'
import { PEOPLE } from './definition.js'
import type { Layout, Setter } from './layout.js'
import { type Fields, kept, same } from './values.js'

type Event = Pick<AnyEvent, 'sequence' | 'position' | 'time'>

/** The document after an event: a new object, or the same one if nothing changes. `repeated`: this event has been added before. */
export function merge(layout: Layout, before: Fields, patch: Readonly<Record<string, unknown>>, event: Event, repeated: boolean): Fields {
  const draft = new Draft(before)
  for (const field in patch) {
    const value = patch[field]
    if (value === undefined) continue
    const setter = layout.setters[field]
    if (setter === undefined) throw new Error(`${layout.collection.name} has no field "${field}" that events set`)
    if (setter.owner && typeof value === 'string') addPerson(draft, value)
    RULES[setter.register.rule](draft, field, value, setter, event, repeated)
  }
  return draft.after
}

type SetField = (draft: Draft, field: string, value: unknown, setter: Setter, event: Event, repeated: boolean) => void

const RULES: Readonly<Record<Setter['register']['rule'], SetField>> = {
  latest(draft, field, value, setter, event) {
    const version = draft.version(setter.slot)
    if (event.sequence > version) draft.setVersioned(field, value, setter, event)
    else if (event.sequence === version) redate(draft, setter, event)
  },
  first(draft, field, value, setter, event) {
    const version = draft.version(setter.slot)
    if (version === 0 || event.sequence < version) draft.setVersioned(field, value, setter, event)
    else if (event.sequence === version) redate(draft, setter, event)
  },
  best(draft, field, value, setter, event) {
    const known = draft.after[field]
    if (setter.register.beats?.(value, known)) {
      draft.change()[field] = value
      date(draft, setter, event)
    } else if (same(value, known)) redate(draft, setter, event)
  },
  sum(draft, field, value, { register }, _event, repeated) {
    if (!repeated) draft.change()[field] = register.group?.add(draft.after[field], value)
  },
  total: refuse,
  dated: refuse,
}

function refuse(_draft: Draft, field: string): void {
  throw new Error(`events do not set "${field}"`)
}

/** A document that is copied when it first changes. */
class Draft {
  after: Fields
  readonly #before: Fields
  #hasVersions = false

  constructor(before: Fields) {
    this.#before = before
    this.after = before
  }

  change(): Fields {
    if (this.after === this.#before) this.after = { ...this.#before }
    return this.after
  }

  version(slot: number): number {
    // Every document with such a register has its sequence.
    return (this.after.v as readonly number[])[slot] ?? 0
  }

  setVersioned(field: string, value: unknown, setter: Setter, event: Event): void {
    const after = this.change()
    after[field] = kept(this.#before[field], value)
    const versions = this.#hasVersions ? (after.v as number[]) : [...(after.v as number[])]
    versions[setter.slot] = event.sequence
    after.v = versions
    this.#hasVersions = true
    if (setter.dated.length > 0) date(this, setter, event)
  }
}

function date(draft: Draft, { dated }: Setter, event: Event): void {
  for (const { name, by } of dated) draft.change()[name] = event[by]
}

/** Of several events that say the same, the earliest counts. */
function redate(draft: Draft, { dated }: Setter, event: Event): void {
  for (const { name, by } of dated) if (event[by] < Number(draft.after[name])) draft.change()[name] = event[by]
}

function addPerson(draft: Draft, id: string): void {
  const people = draft.after[PEOPLE] as readonly string[]
  if (!people.includes(id)) draft.change()[PEOPLE] = [...people, id].sort()
}
