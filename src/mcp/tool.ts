import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { jsonSchemaOf } from '../contract/json-schema.js'

/** A tool: its definition and its handler. */
export interface McpTool {
  definition: Tool
  /** Its call waits for a language model, so it must not hold a database slot. */
  callsLanguageModel?: boolean
  call(input: Record<string, unknown>): Promise<CallToolResult>
}

/** True of every tool: it reads only, and only this service. */
export const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const

/** Structured content, and the same as text for clients that read text only. */
export function toolResult(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
}

/** An error for the model: what was wrong, then what to do. */
export function toolError(what: string, recovery: string): CallToolResult {
  return { content: [{ type: 'text', text: `${what.replace(/[.;]?$/, '.')} ${recovery}` }], isError: true }
}

/** Unknown arguments are refused: ignoring them would answer another question. */
export function unknownArguments(input: Record<string, unknown>, taken: readonly string[]): string | null {
  const unknown = Object.keys(input).filter((name) => !taken.includes(name))
  if (unknown.length === 0) return null
  const offer = taken.length === 0 ? 'takes no arguments' : `takes only ${taken.join(', ')}`
  return `Unknown argument ${unknown.slice(0, 5).map(quoted).join(', ')}: this tool ${offer}`
}

const quoted = (name: string): string => JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)

type Shape = z.ZodObject<Record<string, z.ZodType>>

/** Input and output schemas of a tool. Both are objects, and the input allows no unknown arguments. */
export function toolSchemas(input: Shape, output: z.ZodType): Pick<Tool, 'inputSchema' | 'outputSchema'> {
  return {
    inputSchema: { ...objectAtRoot(jsonSchemaOf(input, 'input')), additionalProperties: false },
    outputSchema: objectAtRoot(jsonSchemaOf(output, 'output')),
  }
}

/** Puts the definition of a named schema at the root, because older clients require an object there. */
function objectAtRoot({ $ref, $defs = {}, ...schema }: z.core.JSONSchema.BaseSchema): Tool['inputSchema'] {
  const [, name] = /^#\/\$defs\/(.+)$/.exec($ref ?? '') ?? []
  const { [name ?? '']: root, ...others } = $defs
  const plain = { ...(root ?? {}), ...schema, ...(Object.keys(others).length === 0 ? {} : { $defs: others }) }
  if (plain.type !== 'object') throw new Error('tools take and give objects')
  // The line above has checked that the root is an object.
  return plain as Tool['inputSchema']
}
