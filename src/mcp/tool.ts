import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { schemaError } from '../contract/errors.js'
import { jsonSchemaOf } from '../contract/json-schema.js'
import { unknownArguments } from '../contract/unknown-arguments.js'

/** A tool: its definition and its handler. */
export interface McpTool {
  definition: Tool
  /** Its call waits for a language model, so it must not hold a database slot. */
  callsLanguageModel?: boolean
  call(input: Record<string, unknown>, caller: string): Promise<CallToolResult>
}

type Shape = z.ZodObject<Record<string, z.ZodType>>

interface ToolDescription<I extends Shape> {
  name: string
  title: string
  description: string
  input: I
  output: z.ZodType
}

interface CheckedTool<I extends Shape> extends ToolDescription<I> {
  /** What a model should do after wrong arguments. */
  retryHint: string
  call(input: z.output<I>, caller: string): CallToolResult | Promise<CallToolResult>
}

/** A tool whose arguments are checked here. */
export const checkedTool = <I extends Shape>({ retryHint, call, ...tool }: CheckedTool<I>): McpTool => ({
  definition: toolDefinition(tool),
  async call(given, caller) {
    const unknown = unknownArguments(given, tool.input, 'tool')
    if (unknown !== null) return toolError(unknown, retryHint)
    const parsed = tool.input.safeParse(given)
    return parsed.success ? call(parsed.data, caller) : toolError(schemaError('validation_failed', parsed.error.issues).message, retryHint)
  },
})

/** Input and output are objects, and the input allows no unknown arguments. Every tool only reads, and only this service. */
export const toolDefinition = ({ name, title, description, input, output }: ToolDescription<Shape>): Tool => ({
  name,
  title,
  description,
  inputSchema: { ...objectAtRoot(jsonSchemaOf(input, 'input')), additionalProperties: false },
  outputSchema: objectAtRoot(jsonSchemaOf(output, 'output')),
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

/** Puts the definition of a named schema at the root, because older clients require an object there. */
function objectAtRoot({ $ref, $defs = {}, ...schema }: z.core.JSONSchema.BaseSchema): Tool['inputSchema'] {
  const [, name] = /^#\/\$defs\/(.+)$/.exec($ref ?? '') ?? []
  const { [name ?? '']: root, ...others } = $defs
  const plain = { ...(root ?? {}), ...schema, ...(Object.keys(others).length === 0 ? {} : { $defs: others }) }
  if (plain.type !== 'object') throw new Error('tools take and give objects')
  // The line above has checked that the root is an object.
  return plain as Tool['inputSchema']
}

/** Structured content, and the same as text for clients that read text only. */
export function toolResult(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
}

/** An error for the model: what was wrong, then what to do. */
export function toolError(what: string, recovery: string): CallToolResult {
  return { content: [{ type: 'text', text: `${what.replace(/[.;]?$/, '.')} ${recovery}` }], isError: true }
}
