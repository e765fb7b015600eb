import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { jsonSchemaOf } from '../contract/json-schema.js'

/** A tool as clients see it, and what happens when it is called. */
export interface McpTool {
  definition: Tool
  /** For a language model, and not only for the models. */
  callsLanguageModel?: boolean
  call(input: Record<string, unknown>): Promise<CallToolResult>
}

/** True of every tool here: nothing can be changed through them, and they know nothing but this service. */
export const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const

/** Structured, and the same as text for clients that know only text. */
export function toolResult(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
}

/** An error the model reads: what was wrong, then what to do about it. */
export function toolError(what: string, recovery: string): CallToolResult {
  return { content: [{ type: 'text', text: `${what.replace(/[.;]?$/, '.')} ${recovery}` }], isError: true }
}

/** Names given that the tool does not take: ignoring them would answer another question than the one that was asked. */
export function unknownArguments(input: Record<string, unknown>, taken: readonly string[]): string | null {
  const unknown = Object.keys(input).filter((name) => !taken.includes(name))
  if (unknown.length === 0) return null
  const offer = taken.length === 0 ? 'takes no arguments' : `takes only ${taken.join(', ')}`
  return `Unknown argument ${unknown.slice(0, 5).map(quoted).join(', ')}: this tool ${offer}`
}

const quoted = (name: string): string => JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)

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
