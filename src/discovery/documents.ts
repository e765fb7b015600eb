/** Every document that programs discover the service by, made from the lists that the hosts serve. */
import type { DocumentationPage } from '../ask/retrieve/documentation.js'
import { SKILL_NAME } from '../contract/agent-operations.js'
import type { Operation } from '../contract/operation.js'
import { type Origins, serviceUrls } from '../contract/public-urls.js'
import { authMarkdown, authorizationServer, protectedResource } from './agent-auth.js'
import { skillIndex, skillMarkdown } from './agent-skill.js'
import { llmsFullText, llmsText } from './llms-txt.js'
import { aiCatalogue, mcpDocument, type NamedServer, webMcpDocument } from './mcp-documents.js'
import { openApiDocument } from './openapi/document.js'
import { robotsText } from './robots-and-sitemap.js'

export interface DiscoverySources {
  sites: Origins
  reads: readonly Operation[]
  pages: readonly DocumentationPage[]
  product: NamedServer
  docs: NamedServer
  protocolVersions: readonly string[]
}

export interface DiscoveryDocument {
  path: string
  type: string
  body: string
}

const MARKDOWN = 'text/markdown; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

export function discoveryDocuments({ sites, reads, pages, product, docs, protocolVersions }: DiscoverySources): DiscoveryDocument[] {
  const { productMcp, docsMcp } = serviceUrls(sites)
  const servers = [
    { server: product, url: productMcp },
    { server: docs, url: docsMcp },
  ]
  return [
    { path: '/llms.txt', type: TEXT, body: llmsText(sites, reads, pages) },
    { path: '/llms-full.txt', type: TEXT, body: llmsFullText(sites, reads, pages, [authMarkdown(sites)]) },
    { path: '/auth.md', type: MARKDOWN, body: authMarkdown(sites) },
    { path: '/robots.txt', type: TEXT, body: robotsText(sites) },
    json('/openapi.json', openApiDocument(sites, reads)),
    json('/.well-known/mcp', mcpDocument(sites, product, protocolVersions)),
    json('/.well-known/webmcp', webMcpDocument(sites, reads)),
    json('/.well-known/ai-catalog.json', aiCatalogue(sites, servers), 'application/ai-catalog+json; charset=utf-8'),
    json('/.well-known/oauth-protected-resource', protectedResource(sites)),
    json('/.well-known/oauth-authorization-server', authorizationServer(sites)),
    json('/.well-known/agent-skills/index.json', skillIndex(sites, reads)),
    { path: `/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`, type: MARKDOWN, body: skillMarkdown(sites, reads) },
  ]
}

const json = (path: string, document: object, type = 'application/json; charset=utf-8'): DiscoveryDocument => ({
  path,
  type,
  body: JSON.stringify(document),
})
