import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { OwnEvent } from '../../events/index.js'
import { errorMessage } from '../../lib/message-text.js'
import { ModelsError } from './define-models.js'

const NAME = /^[a-z]{2,30}\.[a-z][a-z0-9_]{1,40}$/
/** What redacted events are called in the log. */
const RESERVED = 'vitrine'

export function checkOwnEvents(events: readonly OwnEvent[]): void {
  for (const event of events) {
    if (!NAME.test(event.name) || event.aggregate === RESERVED)
      throw new ModelsError(`"${event.name}" is no name of an event type, such as "garden.planted"`)
    if (events.filter(({ name }) => name === event.name).length > 1) throw new ModelsError(`two event types are called "${event.name}"`)
    checkVersions(event)
    checkExample(event)
    checkPeople(event, events)
    checkRedaction(event)
  }
}

function checkVersions({ name, version, older, schema }: OwnEvent): void {
  if (!Number.isInteger(version) || version < 1) throw new ModelsError(`the version of "${name}" must be a whole number from 1`)
  for (let v = 1; v < version; v++)
    if (older[v] === undefined) throw new ModelsError(`"${name}" has version ${version}, but nothing turns version ${v} into ${v + 1}`)
  checkSchema(name, schema)
  for (const [v, each] of Object.entries(older)) checkSchema(`${name}.v${v}`, each.schema)
}

function checkSchema(name: string, schema: z.ZodType): void {
  try {
    z.toJSONSchema(schema, { io: 'input', target: 'draft-07' })
  } catch (error) {
    throw new ModelsError(`the schema of "${name}" has no form in JSON Schema, which AsyncAPI needs: ${errorMessage(error)}`)
  }
}

function checkExample({ name, schema, key, example }: OwnEvent): void {
  const parsed = schema.safeParse(example)
  if (!parsed.success) throw new ModelsError(`the example of "${name}" does not match its schema: ${firstIssue(parsed.error)}`)
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(example[key])))
    throw new ModelsError(`"${key}" of "${name}" must be an id of 1 to 64 letters, digits, "_" or "-"`)
}

function checkPeople({ name, aggregate, schema, people, redact, example }: OwnEvent, events: readonly OwnEvent[]): void {
  if (people === undefined || redact === undefined)
    throw new ModelsError(`"${name}" must say whose data it holds (people) and how their words are redacted (redact)`)
  if ('sameAs' in people) {
    const other = events.find((event) => event.name === people.sameAs)
    if (other?.aggregate !== aggregate || 'sameAs' in other.people || other.people.length === 0)
      throw new ModelsError(
        `"${name}" holds data of whom "${people.sameAs}" names: no event type of a ${aggregate} with this name has people`,
      )
    return
  }
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : null
  const unknown = people.find((field) => fields !== null && !fields.includes(field))
  if (unknown !== undefined) throw new ModelsError(`"${name}" has no field "${unknown}" that could name a person`)
  const noId = people.find((field) => !namesPeople(new Map(Object.entries(example)).get(field)))
  if (noId !== undefined)
    throw new ModelsError(`"${noId}" of "${name}" must hold the id of a person, or a list of ids, also in its example`)
  if (people.length === 0 && redact !== null)
    throw new ModelsError(`"${name}" says how words are redacted, but not whose they are (people)`)
}

const namesPeople = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === 'string'))

/** What is left must be an event that can be folded, of the same aggregate and people. */
function checkRedaction({ name, schema, key, people, redact, example }: OwnEvent): void {
  if (redact === null) return
  const once = redacted(name, schema, redact, schema.parse(example))
  if (isDeepStrictEqual(once, schema.parse(example)))
    throw new ModelsError(`redacting "${name}" leaves its example as it is: give one with words, or say "redact: null"`)
  const twice = redacted(name, schema, redact, once)
  if (!isDeepStrictEqual(once, twice)) throw new ModelsError(`"${name}" redacted twice is not what it is redacted once`)
  const before = new Map(Object.entries(example))
  const after = new Map(Object.entries(once))
  const kept = ['sameAs' in people ? [] : people, key].flat()
  for (const field of kept)
    if (!isDeepStrictEqual(before.get(field), after.get(field))) throw new ModelsError(`redacting "${name}" must keep "${field}"`)
}

function redacted(name: string, schema: z.ZodType, redact: (data: unknown) => object, data: unknown): object {
  const parsed = schema.safeParse(redact(data))
  if (parsed.success && typeof parsed.data === 'object' && parsed.data !== null) return parsed.data
  throw new ModelsError(`what redacting leaves of "${name}" does not match its schema: ${parsed.error ? firstIssue(parsed.error) : ''}`)
}

export function firstIssue({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? 'it is not valid' : `${issue.path.join('.') || '(root)'}: ${issue.message}`
}
