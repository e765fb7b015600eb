/** What an event's word makes of a document, register by register. */
import type { AnyEvent } from '../../events/index.js'
import { PEOPLE } from './definition.js'
import type { Layout, Setter } from './layout.js'
import { type FieldSet, type Fields, kept, NONE, same } from './values.js'

type Event = Pick<AnyEvent, 'sequence' | 'position' | 'time'>

/**
 * Whether an event's sequence was there before. `taken`: it is a copy, or another event has its sequence and counts. `unknown`: it may
 * have been in a gap that was given up. Only known where events add, else all are `new`.
 */
export type Novelty = 'new' | 'taken' | 'unknown'

/** The document after an event, as a draft: a new object, or the same one if nothing changes. */
export function merge(layout: Layout, before: Fields, patch: Readonly<Record<string, unknown>>, event: Event, novelty: Novelty): Draft {
  const draft = new Draft(layout, before)
  for (const field in patch) {
    const value = patch[field]
    if (value === undefined) continue
    const setter = layout.setters[field]
    if (setter === undefined) throw new Error(`${layout.collection.name} has no field "${field}" that events set`)
    // Everyone named is an owner, also by an event that does not count.
    if (setter.owner && typeof value === 'string') addPerson(draft, value)
    const { rule, group } = setter.register
    if (group !== undefined && rule === 'sum') {
      if (novelty === 'new') draft.change(setter.set)[field] = group.add(draft.after[field], value)
      continue
    }
    const order = ORDERS[rule](draft, field, value, setter, event)
    if (order > 0 && novelty !== 'taken') draft.set(field, value, setter, event)
    else if (order === 0) redate(draft, setter, event)
  }
  return draft
}

/** Above 0: the event wins over what is known. 0: it said that. */
type Order = (draft: Draft, field: string, value: unknown, setter: Setter, event: Event) => number

const ORDERS: Readonly<Record<Setter['register']['rule'], Order>> = {
  latest: (draft, _field, _value, { slot }, { sequence }) => sequence - draft.version(slot),
  first: (draft, _field, _value, { slot }, { sequence }) => (draft.version(slot) === 0 ? 1 : draft.version(slot) - sequence),
  best: (draft, field, value, { register }) => (wins(register, value, draft.after[field]) ? 1 : same(value, draft.after[field]) ? 0 : -1),
  sum: refuse,
  total: refuse,
  dated: refuse,
}

/** Null is what there was before the first. Of two that beat each other neither way, one is chosen by their texts. */
const wins = ({ beats = () => false }: Setter['register'], a: unknown, b: unknown): boolean =>
  b === null || beats(a, b) || (!beats(b, a) && JSON.stringify(a) < JSON.stringify(b))

function refuse(_draft: Draft, field: string): number {
  throw new Error(`events do not set "${field}"`)
}

/** A document that is copied when it first changes. */
export class Draft {
  after: Fields
  /** The fields that have changed. */
  changed: FieldSet = NONE
  readonly #layout: Layout
  readonly #before: Fields
  #hasVersions = false

  constructor(layout: Layout, before: Fields) {
    this.#layout = layout
    this.#before = before
    this.after = before
  }

  change(fields: FieldSet): Fields {
    if (this.after === this.#before) this.after = this.#layout.copy(this.#before)
    this.changed |= fields
    return this.after
  }

  version(slot: number): number {
    // Every document with such a register has its sequence.
    return (this.after.v as readonly number[])[slot] ?? 0
  }

  set(field: string, value: unknown, { slot, dated, set }: Setter, event: Event): void {
    const now = kept(this.#before[field], value)
    const after = this.change(now === this.#before[field] && dated.length === 0 ? NONE : set)
    after[field] = now
    for (const { name, by } of dated) after[name] = event[by]
    if (slot < 0) return
    const versions = this.#hasVersions ? (after.v as number[]) : [...(after.v as number[])]
    versions[slot] = event.sequence
    after.v = versions
    this.#hasVersions = true
  }
}

/** Of several events that say the same, the earliest counts. */
function redate(draft: Draft, { dated, set }: Setter, event: Event): void {
  for (const { name, by } of dated) if (event[by] < Number(draft.after[name])) draft.change(set)[name] = event[by]
}

function addPerson(draft: Draft, id: string): void {
  const people = draft.after[PEOPLE] as readonly string[]
  if (!people.includes(id)) draft.change(NONE)[PEOPLE] = [...people, id].sort()
}
