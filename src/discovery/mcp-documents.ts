import type { Origins } from './openapi/types.js'
import { serviceUrls } from './service-urls.js'

/** A server as the discovery documents name it. */
export interface NamedServer {
  name: string
  title: string
  version: string
  description: string
}

/** `/.well-known/mcp`: where the product's server is, and which protocol it speaks. */
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

/** `/.well-known/ai-catalog.json`: which servers there are, by their cards. */
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
      mediaType: 'application/mcp-server-card+json',
      url: `${url}/server-card`,
    })),
  }
}
