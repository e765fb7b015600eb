import type { JsonSchema } from '../openapi/types.js'
import type { ApiDescription, OperationDescription } from './api-description.js'
import { referenced } from './type-printer.js'

/** The named schemas that operations use, directly or through others, sorted. Success envelopes are left out: the client opens them. */
export function reachableSchemas({ components }: ApiDescription, operations: readonly OperationDescription[]): Map<string, JsonSchema> {
  const found = new Map<string, JsonSchema>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const id = '$ref' in value && String(value.$ref).startsWith('#/components/schemas/') ? referenced({ ...value }) : null
    const schema = id === null ? undefined : components.schemas[id]
    if (id !== null && schema !== undefined && !found.has(id)) {
      if (!isEnvelope(schema)) found.set(id, schema)
      visit(schema)
    }
    for (const part of Object.values(value)) visit(part)
  }
  visit([operations, { $ref: '#/components/schemas/Error' }])
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isEnvelope = ({ properties }: JsonSchema): boolean =>
  typeof properties === 'object' && properties !== null && Object.keys(properties).join() === 'code,data'

/** An interface of this name would hide the global one. */
const RENAMED: ReadonlyMap<string, string> = new Map([['Error', 'ErrorEnvelope']])

/** What else the printed module names. */
const TAKEN = ['Operations', 'OperationTable']

/** A type name for each schema id: `reviews.review` is `ReviewsReview`. */
export function typeNamesOf(ids: Iterable<string>): Map<string, string> {
  const names = new Map<string, string>()
  const used = new Set(TAKEN)
  for (const id of ids) {
    const wanted = identifierOf(RENAMED.get(id) ?? id)
    let name = wanted
    for (let n = 2; used.has(name); n++) name = `${wanted}${n}`
    used.add(name)
    names.set(id, name)
  }
  return names
}

function identifierOf(id: string): string {
  const words = id.split(/[^\p{ID_Continue}]+/u)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^\p{ID_Start}/u.test(name) ? name : `Schema${name}`
}
