import type { JsonSchema } from '../openapi/types.js'
import { UnfitDocumentError } from './api-description.js'

const REFERENCE = '#/components/schemas/'

/** The id of the schema that a reference points to. */
export function referenced(schema: JsonSchema): string | null {
  const { $ref } = schema
  if (typeof $ref !== 'string') return null
  if (!$ref.startsWith(REFERENCE)) throw new UnfitDocumentError(`cannot follow the reference ${$ref}`)
  return $ref.slice(REFERENCE.length)
}

/** Prints JSON Schemas as TypeScript types. `typeNames`: names of the types by the ids of their schemas. */
export class TypePrinter {
  readonly #typeNames: ReadonlyMap<string, string>

  constructor(typeNames: ReadonlyMap<string, string>) {
    this.#typeNames = typeNames
  }

  type(schema: JsonSchema, indent = ''): string {
    const id = referenced(schema)
    if (id !== null) return this.#nameOf(id)
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
    const choices = schema.anyOf ?? schema.oneOf
    if (Array.isArray(choices)) return union(schemasIn(choices).map((choice) => this.type(choice, indent)))
    if (Array.isArray(schema.allOf))
      return (
        schemasIn(schema.allOf)
          .map((part) => this.#operand(part, indent))
          .join(' & ') || 'unknown'
      )
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.#byType({ ...schema, type }, indent)))
    return this.#byType(schema, indent)
  }

  /** The properties of an object, one per line. `forCallers`: an optional one may be given as undefined. */
  properties(properties: readonly Property[], indent: string, forCallers = false): string[] {
    return properties.flatMap(({ name, schema, required, description }) => {
      const type = this.type(schema, indent)
      const optional = forCallers ? `?: ${type} | undefined` : `?: ${type}`
      return [...comment([description, defaultOf(schema)], indent), `${indent}${key(name)}${required ? `: ${type}` : optional}`]
    })
  }

  #byType(schema: JsonSchema, indent: string): string {
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type
      case 'integer':
      case 'number':
        return 'number'
      case 'array':
        return this.#array(schema, indent)
      case 'object':
        return this.#object(schema, indent)
      default:
        return isSchema(schema.properties) ? this.#object(schema, indent) : 'unknown'
    }
  }

  #array({ items, prefixItems }: JsonSchema, indent: string): string {
    if (Array.isArray(prefixItems)) {
      const rest = isSchema(items) ? [`...${this.#operand(items, indent)}[]`] : []
      return `[${[...schemasIn(prefixItems).map((item) => this.type(item, indent)), ...rest].join(', ')}]`
    }
    return `${isSchema(items) ? this.#operand(items, indent) : 'unknown'}[]`
  }

  #object(schema: JsonSchema, indent: string): string {
    const inner = `${indent}  `
    const properties = propertiesOf(schema)
    const rest = this.#indexSignature(schema, properties.length > 0, inner)
    const lines = [...this.properties(properties, inner), ...(rest === null ? [] : [`${inner}${rest}`])]
    return lines.length === 0 ? '{ [key: string]: unknown }' : `{\n${lines.join('\n')}\n${indent}}`
  }

  /** Beside named properties, values of the others are unknown: TypeScript wants those to include the named ones. */
  #indexSignature({ additionalProperties }: JsonSchema, isMixed: boolean, indent: string): string | null {
    if (!isSchema(additionalProperties)) return null
    return `[key: string]: ${isMixed ? 'unknown' : this.type(additionalProperties, indent)}`
  }

  /** In parentheses if an operator beside it would bind to a part of it only. */
  #operand(schema: JsonSchema, indent: string): string {
    const type = this.type(schema, indent)
    return isCompound(schema) ? `(${type})` : type
  }

  #nameOf(id: string): string {
    const name = this.#typeNames.get(id)
    if (name === undefined) throw new UnfitDocumentError(`there is no schema ${id}`)
    return name
  }
}

export interface Property {
  name: string
  schema: JsonSchema
  required: boolean
  description: string
}

export function propertiesOf({ properties, required }: JsonSchema): Property[] {
  if (!isSchema(properties)) return []
  const names = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, value]) => {
    const schema = isSchema(value) ? value : {}
    return { name, schema, required: names.includes(name), description: textOf(schema.description) }
  })
}

/** A comment of one or several lines; nothing if there is nothing to say. */
export function comment(texts: readonly string[], indent: string): string[] {
  const lines = texts
    .flatMap((text) => text.replaceAll('*/', '*\\/').split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length < 2) return lines.map((line) => `${indent}/** ${line} */`)
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`]
}

/** A property name as it is written. In an object, a plain `__proto__` would not be a property. */
export const key = (name: string): string =>
  name === '__proto__' ? `['__proto__']` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)

/** A JSON value as the literal that stands for it; strings in single quotes. */
export const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)

const defaultOf = (schema: JsonSchema): string => ('default' in schema ? `@default ${JSON.stringify(schema.default)}` : '')

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never'

const isCompound = ({ type, enum: values, anyOf, oneOf, allOf }: JsonSchema): boolean =>
  Array.isArray(type) || [values, anyOf, oneOf, allOf].some((parts) => parts !== undefined)

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

const schemasIn = (values: readonly unknown[]): JsonSchema[] => values.map((value) => (isSchema(value) ? value : {}))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
