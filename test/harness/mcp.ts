import type { Ask } from '../../src/ask/ask.js'
import type { McpServers } from '../../src/http/mcp-routes.js'
import { AllowedHosts } from '../../src/http/plugins/allowed-hosts.js'
import { loadDocPages } from '../../src/mcp/docs/docs-pages.js'
import { docsServer } from '../../src/mcp/docs/docs-server.js'
import { McpEndpoint } from '../../src/mcp/endpoint.js'
import { productServer } from '../../src/mcp/product-server.js'
import type { ReadExecutor } from '../../src/operations/read-executor.js'
import { publicReads } from '../support/built-in-models.js'

export const BASE_URL = 'https://api.example'
export const WEB_URL = 'https://web.example'
/** Another site whose pages may use MCP, as an operator may write it. */
export const MCP_ORIGIN = 'https://Agents.example:443'
export const PICTURE_ORIGINS = [WEB_URL, 'https://pictures.example']

/** Both MCP servers as the program puts them together. Reached through loopback, as the tests do. */
export function mcpSurface(operations: ReadExecutor, ask: Ask): McpServers {
  const failed = (error: unknown) => {
    throw error
  }
  return {
    product: new McpEndpoint(productServer({ reads: publicReads, operations, ask, pictureOrigins: PICTURE_ORIGINS }), failed),
    docs: new McpEndpoint(
      docsServer(loadDocPages(ask.documentation.pages, { baseUrl: BASE_URL, webUrl: WEB_URL }), `${BASE_URL}/mcp`),
      failed,
    ),
    allowedHosts: new AllowedHosts({
      urls: [BASE_URL, WEB_URL, 'http://127.0.0.1:3000'],
      publicDomain: 'vitrine.example',
      origins: [MCP_ORIGIN],
    }),
    baseUrl: BASE_URL,
    webUrl: WEB_URL,
  }
}
