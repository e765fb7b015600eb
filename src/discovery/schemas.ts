import { z } from 'zod'
import type { JsonSchema } from './openapi-types.js'

/** Turns zod schemas into JSON Schema and gathers those with an id as the named schemas of the document. */
export class Schemas {
  readonly #named = new Map<string, JsonSchema>()

  /** What callers send: fields with a default may be left out. */
  input(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, 'input')
  }

  /** What callers get. Never closed to further fields: the API is additive, and clients have to live with more than they know. */
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

  /** All named schemas, in alphabetical order so that the document does not depend on who asked first. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, $defs = {}, ...converted } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidy(jsonSchema, io) })
    for (const [name, definition] of Object.entries($defs)) this.name(name, relocated(definition))
    return relocated(converted)
  }
}

function tidy(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  // The format says it; the pattern zod adds is three lines that nobody reads.
  if (schema.format === 'date-time') delete schema.pattern
  // What zod means by "integer", not a limit of ours.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

/** zod keeps named schemas under `$defs`, OpenAPI under `components`. */
function relocated(schema: object): JsonSchema {
  const text = JSON.stringify(schema, (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  )
  return JSON.parse(text) as JsonSchema
}
