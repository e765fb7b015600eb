import { z } from 'zod'
import { ASK_TOOL, AskToolInput } from '../ask/request.js'
import { type Operation, pathParameters } from '../contract/operation.js'
import { type Origins, serviceUrls } from '../contract/public-urls.js'

/** An MCP server in a discovery document. */
export interface NamedServer {
  name: string
  title: string
  version: string
  description: string
}

/** `/.well-known/mcp`: address and protocol versions of the product server. */
export function mcpDocument(sites: Origins, server: NamedServer, protocolVersions: readonly string[]) {
  const { productMcp, docsMcp, auth } = serviceUrls(sites)
  return {
    mcp_version: protocolVersions[0],
    supported_versions: protocolVersions,
    server_name: server.name,
    server_version: server.version,
    description: server.description,
    endpoints: { streamable_http: productMcp },
    alternatives: [`${sites.webUrl}/api/mcp`, `${sites.webUrl}/webmcp`],
    documentation_server: docsMcp,
    authentication: { type: 'none', documentation: auth },
  }
}

/** `/.well-known/ai-catalog.json`: the servers, with links to their cards. */
export function aiCatalogue(sites: Origins, servers: readonly { server: NamedServer; url: string }[]) {
  const { hostname } = new URL(sites.webUrl)
  return {
    specVersion: '1.0',
    host: { displayName: 'Vitrine', identifier: hostname, documentationUrl: serviceUrls(sites).llms },
    entries: servers.map(({ server, url }) => ({
      identifier: `urn:mcp:server:${hostname}:${server.name}`,
      displayName: server.title,
      description: server.description,
      version: server.version,
      type: 'application/mcp-server-card+json',
      url: `${url}/server-card`,
    })),
  }
}

/** The tools that pages register in the browser (WebMCP): every public read, and ask. */
export const webMcpTools = ({ baseUrl, webUrl }: Origins, reads: readonly Operation[]) => [
  ...reads.map(({ name, summary, description, path, input }) => ({
    name,
    title: summary,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    annotations: { readOnlyHint: true },
    method: 'GET',
    address: baseUrl + path,
    inPath: pathParameters(path),
  })),
  {
    ...ASK_TOOL,
    // The endpoint has no top-level field for the language; it then takes that of the question.
    inputSchema: z.toJSONSchema(AskToolInput.omit({ locale: true }), { io: 'input' }),
    annotations: { readOnlyHint: true },
    method: 'POST',
    address: `${webUrl}/ask`,
    inPath: [],
  },
]

/** `/.well-known/webmcp`: the same tools without opening a page. */
export const webMcpDocument = (sites: Origins, reads: readonly Operation[]) => ({
  name: 'vitrine',
  description: 'Public creations and creators of a community: feed, search, tags, profiles and app pages. Read-only.',
  url: sites.webUrl,
  documentation: serviceUrls(sites).llms,
  tools: webMcpTools(sites, reads),
})
