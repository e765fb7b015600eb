import { z } from 'zod'

/** A zod schema as JSON Schema 2020-12, with named schemas under `$defs`. OpenAPI and MCP use it. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidy(jsonSchema, io) })
  return converted
}

function tidy(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  // The API is additive, so an answer may have more fields than the schema names.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  // `format` is enough; zod's pattern is three lines long.
  if (schema.format === 'date-time') delete schema.pattern
  // zod's bounds of an integer, not limits of the API.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
