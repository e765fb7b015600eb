import { z } from 'zod'
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
const relocated = (schema: object): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')) as JsonSchema

// Schemas that only the OpenAPI document needs: the program parses these bodies elsewhere or not at all.

const id = z.union([z.string(), z.number()])

export const JsonRpcRequest = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: id.optional().meta({ description: 'Left out of a notification.' }),
    method: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'JsonRpcRequest', description: 'A JSON-RPC 2.0 request.' })

export const JsonRpcResponse = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: id.nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({ id: 'JsonRpcResponse', description: 'A JSON-RPC 2.0 response.' })

/** No example, so that no client fills in an email address or a code. */
export const AgentClaim = z
  .looseObject({
    method: z.literal('email_code'),
    email: z.string().meta({ format: 'email', description: 'Of the end user. Never ask for it.' }),
    code: z
      .string()
      .regex(/^[0-9]{6}$/)
      .meta({ description: 'A one-time code. Never ask for it.' }),
    claim_token: z.string().meta({ description: 'Opaque, from the register address.' }),
  })
  .meta({ id: 'AgentClaim', description: 'The email claim, for parsers only: it is disabled for agents.' })
