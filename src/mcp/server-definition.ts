import type { Resource, ResourceTemplateType, TextResourceContents } from '@modelcontextprotocol/server'
import type { McpTool } from './tool.js'

/** An MCP server as data. */
export interface McpServerDefinition {
  name: string
  title: string
  version: string
  /** At most 100 characters, as server cards have. */
  description: string
  /** Instructions for the model that uses the server. */
  instructions: string
  tools: readonly McpTool[]
  resources: McpResources
}

/** The resources of a server. */
export interface McpResources {
  list: readonly Resource[]
  templates: readonly ResourceTemplateType[]
  /** Null for an unknown URI. */
  read(uri: string, caller: string): Promise<ResourceContent | null>
  /** Suggested values for an argument of a template, best first. `given` holds the arguments already filled in. */
  complete?: (template: string, argument: string, value: string, given: Record<string, string>) => Promise<string[]>
}

export interface ResourceContent {
  contents: TextResourceContents
  /** How long a client may cache it. 0 for anything about creators, because they can be erased. */
  ttlMs: number
}

/** Version of both MCP servers and of the OpenAPI document. */
export const MCP_VERSION = '1.0.0'

/** Since this revision there is no handshake: every request names its client in headers and `_meta`. */
export const FIRST_STATELESS_REVISION = '2026-07-28'

/** The two generations, newest first. Copied from the SDK, which is too slow to load just for these lists. */
export const STATELESS_REVISIONS: readonly string[] = [FIRST_STATELESS_REVISION]
export const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const
export const PROTOCOL_VERSIONS: readonly string[] = [...STATELESS_REVISIONS, ...HANDSHAKE_REVISIONS]

/** The answer to GET on an endpoint: what the server is and how to connect. */
export function serverInfo({ name, title, version, description, instructions, tools, resources }: McpServerDefinition, url: string) {
  return {
    name,
    title,
    version,
    description,
    instructions,
    transport: 'streamable-http',
    url,
    protocolVersions: PROTOCOL_VERSIONS,
    authentication: 'none',
    readOnly: true,
    tools: tools.map(({ definition }) => ({ name: definition.name, title: definition.title, description: definition.description })),
    resources: resources.list.map(({ uri, title: label, mimeType }) => ({ uri, title: label, mimeType })),
    resourceTemplates: resources.templates.map(({ uriTemplate, title: label }) => ({ uriTemplate, title: label })),
  }
}

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** The server card for catalogues. Its name is the reversed host name. */
export function serverCard({ name, title, version, description }: McpServerDefinition, url: string) {
  const { hostname } = new URL(url)
  return {
    $schema: CARD_SCHEMA,
    name: `${hostname.split('.').reverse().join('.')}/${name}`,
    version,
    title,
    description,
    remotes: [{ type: 'streamable-http', url, supportedProtocolVersions: PROTOCOL_VERSIONS }],
  }
}
