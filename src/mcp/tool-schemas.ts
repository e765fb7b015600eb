import type { Tool } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { jsonSchemaOf } from '../contract/json-schema.js'

type Shape = z.ZodObject<Record<string, z.ZodType>>

/** What a tool takes and gives. Both are objects, and unknown arguments are refused rather than ignored. */
export function toolSchemas(input: Shape, output: z.ZodType): Pick<Tool, 'inputSchema' | 'outputSchema'> {
  return {
    inputSchema: { ...objectAtRoot(jsonSchemaOf(input, 'input')), additionalProperties: false },
    outputSchema: objectAtRoot(jsonSchemaOf(output, 'output')),
  }
}

/** A named schema is a reference to its definition, but clients of the older generation want to see an object at the root. */
function objectAtRoot({ $ref, $defs = {}, ...schema }: z.core.JSONSchema.BaseSchema): Tool['inputSchema'] {
  const [, name] = /^#\/\$defs\/(.+)$/.exec($ref ?? '') ?? []
  const { [name ?? '']: root, ...others } = $defs
  const plain = { ...(root ?? {}), ...schema, ...(Object.keys(others).length === 0 ? {} : { $defs: others }) }
  if (plain.type !== 'object') throw new Error('tools take and give objects')
  // JSON all through, and an object at the root, as was just made sure of.
  return plain as Tool['inputSchema']
}
