import { z } from 'zod'
import { splitPath } from '../../ports/collection.js'

type JsonSchema = z.core.JSONSchema._JSONSchema

/** Whether documents of this schema may have a text, or a list of texts, at a dotted path. Paths do not lead through lists. */
export function mayHoldIds(schema: z.ZodType, path: string): boolean {
  // As JSON Schema, because unions, defaults and other wrappers have the same few forms there.
  const root = z.toJSONSchema(schema, { unrepresentable: 'any' })
  return leadsToIds(root, splitPath(path), root)
}

function leadsToIds(schema: JsonSchema | undefined, path: readonly string[], root: z.core.JSONSchema.BaseSchema): boolean {
  if (typeof schema !== 'object') return schema === true
  const { $ref, type, properties, additionalProperties, items } = schema
  if ($ref !== undefined) return leadsToIds($ref === '#' ? root : root.$defs?.[$ref.replace('#/$defs/', '')], path, root)
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((branch) => branch ?? [])
  if (branches.length > 0) return branches.some((branch) => leadsToIds(branch, path, root))
  // It takes anything, or has no form in JSON Schema.
  if (type === undefined) return true
  const [key, ...rest] = path
  if (key !== undefined) return leadsToIds(properties?.[key] ?? additionalProperties, rest, root)
  // A text that may be null has both types in a list.
  const types: readonly string[] = [type].flat()
  return types.includes('string') || (types.includes('array') && [items ?? true].flat().some((item) => leadsToIds(item, [], root)))
}
