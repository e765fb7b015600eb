import type { JsonSchema } from '../openapi/types.js'

/** The document describes no service of this kind, or cannot be understood. */
export class UnfitDocumentError extends Error {
  override name = 'UnfitDocumentError'
}

export interface Field {
  name: string
  schema: JsonSchema
  required: boolean
  description: string
}

/** Prints JSON Schemas as TypeScript types. `schemas`: those that references point to, by their ids. */
export class TypePrinter {
  readonly #schemas: ReadonlyMap<string, JsonSchema>
  /** Of the types that were referred to, by the ids of their schemas. */
  readonly #names = new Map<string, string>()

  constructor(schemas: Readonly<Record<string, JsonSchema>>) {
    this.#schemas = new Map(Object.entries(schemas))
  }

  type(schema: JsonSchema): string {
    if (typeof schema.$ref === 'string') return this.#nameOf(this.#idIn(schema.$ref))
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
    const choices = schema.anyOf ?? schema.oneOf
    if (Array.isArray(choices)) return union(schemasIn(choices).map((choice) => this.type(choice)))
    if (Array.isArray(schema.allOf)) return schemasIn(schema.allOf).map(this.#operand).join(' & ') || 'unknown'
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.#byType({ ...schema, type })))
    return this.#byType(schema)
  }

  /** A property of an object. An optional one may be given as undefined. */
  field({ name, schema, required, description }: Field): string {
    const text = 'default' in schema ? `${description} Default: ${JSON.stringify(schema.default)}.` : description
    return documented(`${key(name)}${required ? '' : '?'}: ${this.type(schema)}${required ? '' : ' | undefined'}`, text)
  }

  /** What was referred to, what `others` are if they exist, and all that these refer to, sorted. */
  declarations(others: readonly string[]): string[] {
    for (const id of others) if (this.#schemas.has(id)) this.#nameOf(id)
    const printed: [name: string, text: string][] = []
    // Also visits what is added on the way.
    for (const [id, name] of this.#names) {
      const schema = this.#schemas.get(id) ?? {}
      const begin = schema.type === 'object' ? `interface ${name}` : `type ${name} =`
      printed.push([name, documented(`export ${begin} ${this.type(schema)}`, textOf(schema.description))])
    }
    return printed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  }

  /** Itself, or what it refers to. */
  resolved(schema: JsonSchema): JsonSchema {
    return typeof schema.$ref === 'string' ? (this.#schemas.get(this.#idIn(schema.$ref)) ?? {}) : schema
  }

  #byType(schema: JsonSchema): string {
    if (schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null') return schema.type
    if (schema.type === 'integer' || schema.type === 'number') return 'number'
    if (schema.type === 'array') return this.#array(schema)
    return schema.type === 'object' || isSchema(schema.properties) ? this.#object(schema) : 'unknown'
  }

  #array({ items, prefixItems }: JsonSchema): string {
    const rest = `${isSchema(items) ? this.#operand(items) : 'unknown'}[]`
    if (!Array.isArray(prefixItems)) return rest
    return `[${[...schemasIn(prefixItems).map((item) => this.type(item)), ...(isSchema(items) ? [`...${rest}`] : [])].join(', ')}]`
  }

  #object(schema: JsonSchema): string {
    const fields = fieldsIn(schema)
    const others = isSchema(schema.additionalProperties) ? this.type(schema.additionalProperties) : null
    if (fields.length === 0) return `{ [key: string]: ${others ?? 'unknown'} }`
    // Beside named properties, values of the others are unknown: TypeScript wants those to include the named ones.
    return inBraces([...fields.map((field) => this.field(field)), ...(others === null ? [] : ['[key: string]: unknown'])])
  }

  /** In parentheses if an operator beside it would bind to a part of it only. */
  readonly #operand = (schema: JsonSchema): string => {
    const isCompound = Array.isArray(schema.type) || ['enum', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema)
    return isCompound ? `(${this.type(schema)})` : this.type(schema)
  }

  #idIn(reference: string): string {
    const [, id = ''] = /^#\/components\/schemas\/(.*)$/s.exec(reference) ?? []
    if (!this.#schemas.has(id)) throw new UnfitDocumentError(`cannot follow the reference ${reference}`)
    return id
  }

  /** `reviews.review` is `ReviewsReview`. An interface called `Error` would hide the global one, the others are in each printed module. */
  #nameOf(id: string): string {
    const known = this.#names.get(id)
    if (known !== undefined) return known
    const used = ['Operations', 'OperationTable', ...this.#names.values()]
    const wanted = id === 'Error' ? 'ErrorEnvelope' : identifierOf(id)
    let name = wanted
    for (let n = 2; used.includes(name); n++) name = `${wanted}${n}`
    this.#names.set(id, name)
    return name
  }
}

export function fieldsIn({ properties, required }: JsonSchema): Field[] {
  const names = Array.isArray(required) ? required : []
  return Object.entries(isSchema(properties) ? properties : {}).map(([name, value]) => {
    const schema = isSchema(value) ? value : {}
    return { name, schema, required: names.includes(name), description: textOf(schema.description) }
  })
}

const MAX_LENGTH = 100

/** The fields of an object type, on one line if they are few and have no comments. */
export function inBraces(fields: readonly string[]): string {
  const line = `{ ${fields.join('; ')} }`
  if (line.length <= MAX_LENGTH && !line.includes('\n')) return line
  // Literals hold no line breaks.
  return `{${fields.map((field) => `\n${field}`.replaceAll('\n', '\n  ')).join('')}\n}`
}

/** Code, after a comment if there is something to say. */
export function documented(code: string, ...texts: string[]): string {
  const lines = texts.flatMap((text) => text.replaceAll('*/', '*\\/').split('\n'))
  const said = lines.map((line) => line.trim()).filter((line) => line !== '')
  return said.length === 0 ? code : `/** ${said.join('\n * ')} */\n${code}`
}

/** A property name as it is written. In an object, a plain `__proto__` would not be a property. */
export const key = (name: string): string =>
  name === '__proto__' ? `['__proto__']` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)

/** A JSON value as the literal that stands for it; strings in single quotes. */
export const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)

function identifierOf(id: string): string {
  const words = id.split(/[^\p{ID_Continue}]+/u)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^\p{ID_Start}/u.test(name) ? name : `Schema${name}`
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never'

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

const schemasIn = (values: readonly unknown[]): JsonSchema[] => values.map((value) => (isSchema(value) ? value : {}))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
