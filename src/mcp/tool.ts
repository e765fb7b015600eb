import type { CallToolResult, Tool } from '@modelcontextprotocol/server'

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
