import type { z } from 'zod'
import { jsonSchemaOf } from '../../contract/json-schema.js'
import type { JsonSchema } from './types.js'

/** Converts zod schemas to JSON Schema and collects those with an id as named schemas of the document. */
export class SchemaRegistry {
  readonly #named = new Map<string, JsonSchema>()

  /** What callers send: fields with a default may be left out. */
  input(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, 'input')
  }

  /** What callers get. */
  output(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, 'output')
  }

  /** Gives a schema a name and returns the reference to it. */
  name(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#named.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two different schemas are called ${name}`)
    this.#named.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** All named schemas, sorted, so that the document does not depend on the order of calls. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $defs = {}, ...converted } = jsonSchemaOf(schema, io)
    for (const [name, definition] of Object.entries($defs)) this.name(name, relocated(definition))
    return relocated(converted)
  }
}

/** zod keeps named schemas under `$defs`, OpenAPI under `components`. */
function relocated(schema: object): JsonSchema {
  const text = JSON.stringify(schema, (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  )
  return JSON.parse(text) as JsonSchema
}
