import type { Resource, ResourceTemplateType, TextResourceContents } from '@modelcontextprotocol/server'
import type { McpTool } from './tool.js'

/** An MCP server as data: who it is, and what it has. */
export interface McpServerDefinition {
  name: string
  title: string
  version: string
  description: string
  /** For the model, in the words of a colleague. */
  instructions: string
  tools: readonly McpTool[]
  resources: McpResources
}

/** The resources of a server. */
export interface McpResources {
  list: readonly Resource[]
  templates: readonly ResourceTemplateType[]
  /** `null` when nothing has this address. */
  read(uri: string): Promise<ResourceContent | null>
  /** Values that an argument of a template could have, best first. `given` holds the arguments that are filled in already. */
  complete(template: string, argument: string, value: string, given: Record<string, string>): Promise<string[]>
}

export interface ResourceContent {
  contents: TextResourceContents
  /** How long a client may keep it. Nothing about creators may be kept: they can be erased. */
  ttlMs: number
}

/** Of both MCP servers, and of the document that describes the API. */
export const MCP_VERSION = '1.0.0'

/** From this revision of the protocol on there is no handshake: every request says who asks, in its headers and in `_meta`. */
export const FIRST_STATELESS_REVISION = '2026-07-28'

/** Newest first; all but the first as the SDK has them, which is not loaded just to name them. */
export const PROTOCOL_VERSIONS: readonly string[] = [
  FIRST_STATELESS_REVISION,
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]
