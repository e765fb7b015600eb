import { z } from 'zod'

const compiledSchemas = new WeakMap<z.ZodType, z.ZodType>()

/**
 * The same schema with a fast path that zod generates on first use. Values that the fast path rejects go through the
 * original schema, so both accept and reject the same values, with the same errors.
 */
export function compiled<S extends z.ZodType>(schema: S): S {
  let fast = compiledSchemas.get(schema)
  if (fast === undefined) {
    fast = z.compile(schema)
    compiledSchemas.set(schema, fast)
  }
  // It was compiled from this schema.
  return fast as S
}
