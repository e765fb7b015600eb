import { z } from 'zod'
import type { Collection, Doc } from '../ports/document-store.js'

export interface Column {
  name: string
  /** `json`: lists, nested objects, and whatever is not always of one kind. */
  type: 'string' | 'number' | 'boolean' | 'json'
}

interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  const?: unknown
  enum?: unknown[]
}

/** The fields of a collection's documents as columns of a table, `_id` first. */
export function columnsOf({ schema }: Collection): Column[] {
  const kinds = new Map<string, Set<Column['type']>>([['_id', new Set(['string'])]])
  for (const variant of variantsOf(z.toJSONSchema(schema, { unrepresentable: 'any' }) as JsonSchema)) {
    for (const [name, property] of Object.entries(variant.properties ?? {})) {
      const known = kinds.get(name) ?? new Set()
      for (const kind of variantsOf(property).flatMap(columnTypes)) known.add(kind)
      kinds.set(name, known)
    }
  }
  return [...kinds].map(([name, types]) => {
    const [type = 'json', another] = types
    return { name, type: another === undefined ? type : 'json' }
  })
}

/** The value of a column: text, number or truth as it is, everything else as JSON text. */
export function cellOf(doc: Doc, { name, type }: Column): string | number | boolean | null {
  const value: unknown = Object.hasOwn(doc, name) ? doc[name as keyof Doc] : null
  if (value === null || value === undefined) return null
  return type === 'json' ? JSON.stringify(value) : (value as string | number | boolean)
}

function variantsOf(schema: JsonSchema): JsonSchema[] {
  const variants = schema.anyOf ?? schema.oneOf
  return variants === undefined ? [schema] : variants.flatMap(variantsOf)
}

function columnTypes({ type, const: constant, enum: choices }: JsonSchema): Column['type'][] {
  const types =
    type === undefined ? [constant, ...(choices ?? [])].filter((value) => value !== undefined).map((value) => typeof value) : [type].flat()
  return types
    .filter((name) => name !== 'null')
    .map((name) => (name === 'integer' ? 'number' : name === 'string' || name === 'number' || name === 'boolean' ? name : 'json'))
}
