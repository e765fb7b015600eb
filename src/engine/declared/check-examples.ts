/** What events of custom types say, tried with their examples: types may never have been checked there. */
import type { z } from 'zod'
import { type AnyEvent, builtInEvents, type OwnEvent, START } from '../../events/index.js'
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import type { Change } from './definition.js'
import type { Layouts } from './layout.js'

type Says = Readonly<Record<string, ((event: AnyEvent) => unknown) | undefined>>

export function checkExamples(events: readonly OwnEvent[], on: Says, layouts: Layouts): void {
  const types = builtInEvents.with(events)
  for (const type of events) {
    const data = type.schema.safeParse(type.example)
    // One that does not match is refused with its event type.
    if (!data.success) continue
    const event = exampleEvent(type, data.data)
    for (const change of changesIn(type.name, on[type.name]?.(event))) checkChange(type.name, change, layouts, types.peopleIn(event))
  }
}

/** What was expected. */
const messageOf = ({ issues: [issue] }: z.ZodError): string => issue?.message ?? 'it is not valid'

/** The first of its aggregate. */
export function exampleEvent({ name, aggregate: kind, key: field }: Pick<OwnEvent, 'name' | 'aggregate' | 'key'>, data: unknown): AnyEvent {
  const key = String(Object(data)[field])
  return { name, id: name, aggregate: `${kind}/${key}`, kind, key, sequence: 1, position: START, time: Date.UTC(2026, 2, 2, 9, 15), data }
}

function changesIn(event: string, said: unknown): Change[] {
  const changes: unknown[] = [said ?? []].flat()
  const isChange = (each: unknown): each is Change => typeof each === 'object' && each !== null && 'patch' in each
  if (!changes.every(isChange)) throw new Error(`on ${event}: must return what a state or an edge makes of it, and no promise`)
  return changes
}

function checkChange(event: string, { to, other, patch }: Change, layouts: Layouts, people: readonly string[]): void {
  const { setters, owners, collection, definition } = layouts.of(to)
  const fields = patch === 'removed' ? {} : patch
  for (const [field, value] of Object.entries(fields)) {
    const setter = setters[field]
    if (setter === undefined)
      throw new Error(
        `on ${event}: ${collection.name} has no field "${field}" that events set${didYouMean(nearestWord(field, Object.keys(setters)))}`,
      )
    // Erasure would not find it.
    if (!setter.owner && people.some((id) => id === value))
      throw new Error(
        `on ${event}: "${field}" of ${collection.name} holds the id of a person: make it a reference to a person, such as first(person)`,
      )
    const parsed = value === undefined || setter.slot < 0 ? undefined : setter.register.schema.safeParse(value)
    if (parsed?.success === false)
      throw new Error(`on ${event}: "${field}" of ${collection.name} cannot be ${JSON.stringify(value)}: ${messageOf(parsed.error)}`)
  }
  const named = [...owners.map((field) => fields[field]), definition.ends?.kind === 'creator' ? other : null]
  const unsaid = named.find((id) => typeof id === 'string' && !people.includes(id))
  // Otherwise their words would stay in the log.
  if (unsaid !== undefined) throw new Error(`on ${event}: "${unsaid}" is a person: make that field of its schema a CreatorId`)
}
