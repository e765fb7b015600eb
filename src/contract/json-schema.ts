import { z } from 'zod'

/** A zod schema as JSON Schema 2020-12, named parts under `$defs`. The published descriptions are all made with this. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidy(jsonSchema, io) })
  return converted
}

function tidy(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  // What callers get is never closed to further fields: the API is additive, and clients have to live with more than they know.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  // The format says it; the pattern zod adds is three lines that nobody reads.
  if (schema.format === 'date-time') delete schema.pattern
  // What zod means by "integer", not a limit of ours.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
