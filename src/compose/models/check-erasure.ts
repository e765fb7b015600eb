/**
 * Words that would outlive the erasure of their person. The examples are folded twice, once with the event as it is and once as it is
 * redacted: after the erasure both must leave the same documents, wherever a word was copied to.
 */
import { exampleOf } from '../../../content/event-examples.js'
import { exampleEvent } from '../../engine/declared/check-declaration.js'
import { type Projection, strict } from '../../engine/definition/projection.js'
import { type AnyEvent, type EventType, type EventTypes, leavesOf, namesPeople } from '../../events/index.js'
import type { Collection, Doc } from '../../ports/collection.js'
import { ModelsError } from './define-models.js'
import { foldInto, MemoryDocs } from './folded-examples.js'

interface Named extends EventType {
  name: string
}

export function checkErasure(projection: Projection): void {
  const types = projection.events
  const handled = Object.keys(projection.on).flatMap((name) => typeIn(types, name) ?? [])
  const watchful = strict(projection)
  for (const type of handled) {
    if (type.redact === null) continue
    const event = exampleEvent(type, spoken(type))
    const naming = namesPeople(type) ? null : namingOf(type, types)
    const people = types.peopleIn(naming === null ? event : { name: naming.name, data: dataOf(naming) })
    // What names the person comes first, where this event does not.
    const before = naming !== null && handled.some(({ name }) => name === naming.name) ? [about(naming, event, naming.name)] : []
    // A removal would hide what the others leave.
    const rest = handled.filter(({ name }) => name !== type.name && name !== naming?.name && !name.endsWith('.removed'))
    const others = rest.map((other) => about(other, event, naming?.name ?? ''))
    for (const story of [
      [...before, event],
      [...before, event, ...others],
      [...before, ...others, event],
    ])
      for (const person of people) checkStory(watchful, type, event, story, person)
  }
}

function checkStory(
  projection: Projection,
  { name, schema, redact }: Named,
  event: AnyEvent,
  story: readonly AnyEvent[],
  person: string,
): void {
  const without = schema.safeParse(redact?.(event.data))
  // What is left of data that its own type refuses is no event of it any more.
  const instead = without.success ? [{ ...event, data: without.data }] : []
  const kept = erased(projection, story, person)
  const redacted = erased(
    projection,
    story.flatMap((each) => (each === event ? instead : [each])),
    person,
  )
  const textOf = (docs: MemoryDocs, collection: Collection) =>
    JSON.stringify(docs.all(collection).filter((doc) => !isBlank(projection, doc)))
  const left = projection.collections.find((each) => textOf(kept, each) !== textOf(redacted, each))
  if (left !== undefined)
    throw new ModelsError(
      `"${projection.name}": words of "${name}" would stay in "${left.name}" when their person is erased: keep them in a state with "by: first(person)", and let "on" set it, or in an edge to the person`,
    )
}

/** Of which nothing is known, or no longer: what counted the words is 0 again. */
const isBlank = ({ state }: Projection, doc: Doc): boolean =>
  Object.values(state).some(({ blank }) => JSON.stringify(blank(doc._id)) === JSON.stringify(doc))

function erased(projection: Projection, story: readonly AnyEvent[], person: string): MemoryDocs {
  const docs = new MemoryDocs()
  const removal = exampleEvent({ name: 'creator.removed', aggregate: 'creator', key: 'creatorId' }, { creatorId: person })
  const sequences = new Map<string, number>()
  for (const event of [...story, removal]) {
    const sequence = (sequences.get(event.aggregate) ?? 0) + 1
    sequences.set(event.aggregate, sequence)
    foldInto(docs, projection, { ...event, sequence })
  }
  return docs
}

/** The other type that says whose the words are, if one does. */
function namingOf({ people }: EventType, types: EventTypes): Named | null {
  return ('sameAs' in people ? typeIn(types, people.sameAs) : undefined) ?? null
}

function typeIn(types: EventTypes, name: string): Named | undefined {
  const type = types.get(name)
  return type && { ...type, name }
}

const dataOf = ({ name, version, example }: Named): Readonly<Record<string, unknown>> => example ?? exampleOf(`${name}.v${version}`)

/** An example about the aggregate of another event, if it is of that kind, and about other people, unless it is to name them. */
function about(type: Named, { kind, key }: AnyEvent, naming: string): AnyEvent {
  const data = { ...dataOf(type), ...(type.aggregate === kind ? { [type.key]: key } : {}) }
  if (type.name !== naming && !('sameAs' in type.people))
    for (const field of type.people) if (field !== type.key && data[field] !== undefined) data[field] = somebodyElse(data[field])
  return exampleEvent(type, type.schema.parse(data))
}

const somebodyElse = (people: unknown): unknown =>
  Array.isArray(people) ? people.map(() => OTHER) : typeof people === 'string' ? OTHER : people
const OTHER = 'somebody-else'

const CANDIDATES = ['Words', ['Words'], 'https://words.example/']

/** The example with words also where it has none. */
function spoken(type: Named): unknown {
  let data = dataOf(type)
  for (const { path, mark } of leavesOf(type.schema)) {
    if (typeof mark !== 'object' || !isSilent(data[path])) continue
    const said = CANDIDATES.map((words) => ({ ...data, [path]: words })).find((each) => type.schema.safeParse(each).success)
    data = said ?? data
  }
  return type.schema.parse(data)
}

const isSilent = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
