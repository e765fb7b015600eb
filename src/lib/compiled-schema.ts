import { z } from 'zod'

const compiledSchemas = new WeakMap<z.ZodType, z.ZodType>()

/**
 * The same schema with a fast path that zod generates for it, on first use. What the fast path does not accept goes
 * through the schema as it was written, so both take and refuse the same values, with the same errors.
 */
export function compiled<S extends z.ZodType>(schema: S): S {
  let fast = compiledSchemas.get(schema)
  if (fast === undefined) {
    fast = z.compile(schema)
    compiledSchemas.set(schema, fast)
  }
  // Kept under the schema it was made from.
  return fast as S
}
