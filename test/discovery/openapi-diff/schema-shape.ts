import type { JsonSchema } from '../../../src/discovery/openapi/types.js'

/** An input may only accept more than before, an output may only promise more. */
export type Direction = 'input' | 'output'

/** A schema with its references, `allOf` and "or null" taken apart, so that two of them can be laid side by side. */
interface Shape {
  nullable: boolean
  /** One plain schema, or several where the schema leaves a choice. */
  variants: PlainSchema[]
}

export interface PlainSchema {
  /** Without `null`. Undefined: any type. */
  types: Set<string> | undefined
  /** The only values allowed, without `null`. */
  values: unknown[] | undefined
  properties: Record<string, JsonSchema>
  required: Set<string>
  keywords: JsonSchema
}

export type NamedSchemas = Readonly<Record<string, JsonSchema>>

export function shapeOf(schema: JsonSchema, named: NamedSchemas): Shape {
  const all = choices(schema, named)
  const variants = all.filter((choice) => !isNull(choice)).map(plain)
  return { nullable: all.some(allowsNull), variants }
}

/** The name that a schema refers to, if it is only a reference. */
export function nameOf(schema: JsonSchema): string | undefined {
  const [keyword, ...others] = Object.keys(schema)
  return keyword === '$ref' && others.length === 0 ? String(schema.$ref) : undefined
}

/** Objects are all a schema can hold; anything else (`true`, or nothing) allows everything. */
export const asSchema = (value: unknown): JsonSchema => (typeof value === 'object' && value !== null ? (value as JsonSchema) : {})

const PREFIX = '#/components/schemas/'

function choices(schema: JsonSchema, named: NamedSchemas): JsonSchema[] {
  const { anyOf, oneOf, ...rest } = merged(schema, named)
  const branches = anyOf ?? oneOf
  if (!Array.isArray(branches)) return [rest]
  return branches.flatMap((branch) => choices({ allOf: [rest, asSchema(branch)] }, named))
}

/** Follows the reference and puts the parts of `allOf` together. */
function merged(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const { $ref, allOf, ...own } = schema
  const parts = [...(typeof $ref === 'string' ? [lookUp($ref, named)] : []), ...(Array.isArray(allOf) ? allOf.map(asSchema) : [])]
  return parts.map((part) => merged(part, named)).reduceRight((sum, part) => both(part, sum), own)
}

function lookUp($ref: string, named: NamedSchemas): JsonSchema {
  const found = $ref.startsWith(PREFIX) ? named[$ref.slice(PREFIX.length)] : undefined
  if (found === undefined) throw new Error(`${$ref} leads nowhere`)
  return found
}

function both(a: JsonSchema, b: JsonSchema): JsonSchema {
  const properties = { ...propertiesOf(a) }
  for (const [name, property] of Object.entries(propertiesOf(b))) {
    const known = properties[name]
    properties[name] = known === undefined ? property : { allOf: [known, property] }
  }
  return { ...a, ...b, properties, required: [...requiredOf(a), ...requiredOf(b)] }
}

function plain(schema: JsonSchema): PlainSchema {
  const values = valuesOf(schema)?.filter((value) => value !== null)
  const types = typesOf(schema) ?? (values && new Set(values.map(typeOfValue)))
  types?.delete('null')
  return { types, values, properties: propertiesOf(schema), required: new Set(requiredOf(schema)), keywords: schema }
}

function typesOf({ type }: JsonSchema): Set<string> | undefined {
  if (typeof type === 'string') return new Set([type])
  return Array.isArray(type) ? new Set(type.map(String)) : undefined
}

function valuesOf(schema: JsonSchema): unknown[] | undefined {
  if ('const' in schema) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : undefined
}

function typeOfValue(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const isNull = (schema: JsonSchema): boolean => schema.type === 'null' || ('const' in schema && schema.const === null)

function allowsNull(schema: JsonSchema): boolean {
  const types = typesOf(schema)
  const values = valuesOf(schema)
  return (types === undefined || types.has('null')) && (values === undefined || values.includes(null))
}

const propertiesOf = ({ properties }: JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(asSchema(properties)).map(([name, property]) => [name, asSchema(property)]))

const requiredOf = ({ required }: JsonSchema): string[] => (Array.isArray(required) ? required.map(String) : [])
