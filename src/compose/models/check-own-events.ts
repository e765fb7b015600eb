import { z } from 'zod'
import { leavesOf, namesPeople, type OwnEvent } from '../../events/index.js'
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
    checkWords(event)
    checkPeople(event, events)
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

function checkExample({ name, aggregate, schema, key, example }: OwnEvent): void {
  const parsed = schema.safeParse(example)
  if (!parsed.success) throw new ModelsError(`the example of "${name}" does not match its schema: ${firstIssue(parsed.error)}`)
  const { [key]: id } = example
  if (id === undefined)
    throw new ModelsError(`"${name}" has no "${key}": events about a ${aggregate} say which one (${key}: id), or name another field (key)`)
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id))
    throw new ModelsError(`"${key}" of "${name}" must be an id of 1 to 64 letters, digits, "_" or "-"`)
}

/** Redaction must find every word, and every person. */
function checkWords({ name, key, schema }: OwnEvent): void {
  for (const { path, mark } of leavesOf(schema)) {
    if (mark === 'unclear' && path !== key)
      throw new ModelsError(
        `"${path}" of "${name}" may hold words of people: make it text(…) or words(…), an id (id, CreationId, CreatorId), or a choice (z.enum)`,
      )
    if (mark === 'person' && path.includes('.'))
      throw new ModelsError(`"${path}" of "${name}" names a person within an object or a record: put it beside the others`)
  }
}

function checkPeople(event: OwnEvent, events: readonly OwnEvent[]): void {
  const { name, aggregate, people, redact } = event
  const naming = events.filter((other) => other.aggregate === aggregate && namesPeople(other)).map((other) => other.name)
  if ('sameAs' in people && !naming.includes(people.sameAs))
    throw new ModelsError(
      `"${name}" holds words of whom "${people.sameAs}" names: no event type of a ${aggregate} with this name names people`,
    )
  if (redact !== null && !('sameAs' in people) && !namesPeople(event) && naming.length > 1)
    throw new ModelsError(`"${name}" has words, and ${naming.join(' and ')} name people: say whose they are (sameAs: '${naming[0]}')`)
}

export function firstIssue({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? 'it is not valid' : `${issue.path.join('.') || '(root)'}: ${issue.message}`
}
