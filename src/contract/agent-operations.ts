/** Every operation for agents, once: its name, path and deprecation. */
import type { Deprecation } from './operation.js'

export interface AgentOperation {
  operationId: string
  method: 'GET' | 'POST'
  /** Path template on the web host. */
  path: string
  summary: string
  deprecated?: Deprecation
}

const ALWAYS_REFUSED = 'Always refused: there are no credentials for agents'

export const agentOperations: readonly AgentOperation[] = [
  { operationId: 'askServiceProductContext', method: 'POST', path: '/ask', summary: 'Ask a question' },
  { operationId: 'askServiceApiAlias', method: 'POST', path: '/api/ask', summary: 'Ask a question (alias)' },
  { operationId: 'askServiceNlwebAlias', method: 'POST', path: '/nlweb/ask', summary: 'Ask a question (alias for NLWeb clients)' },
  { operationId: 'askServiceLocaleAlias', method: 'POST', path: '/{locale}/ask', summary: 'Ask a question in a language' },
  { operationId: 'createAskJob', method: 'POST', path: '/ask/jobs', summary: 'Ask a question to be answered in the background' },
  { operationId: 'getAskJobStatus', method: 'GET', path: '/ask/jobs/{jobId}', summary: 'How an ask job stands' },
  { operationId: 'getBatchEndpointInfo', method: 'GET', path: '/batch', summary: 'What a batch can hold' },
  { operationId: 'batchPublicRead', method: 'POST', path: '/batch', summary: 'Several reads at once' },
  { operationId: 'getMcpServerInfo', method: 'GET', path: '/mcp', summary: 'What the MCP server is' },
  { operationId: 'callMcpJsonRpc', method: 'POST', path: '/mcp', summary: 'Send a message to the MCP server' },
  { operationId: 'getMcpServerInfoAlternate', method: 'GET', path: '/api/mcp', summary: 'What the MCP server is (alias)' },
  { operationId: 'mcpJsonRpcAlternate', method: 'POST', path: '/api/mcp', summary: 'Send a message to the MCP server (alias)' },
  { operationId: 'getWebMcpServerInfo', method: 'GET', path: '/webmcp', summary: 'What the MCP server is (alias)' },
  { operationId: 'webMcpJsonRpc', method: 'POST', path: '/webmcp', summary: 'Send a message to the MCP server (alias for WebMCP)' },
  { operationId: 'getWebMcpDiscovery', method: 'GET', path: '/.well-known/webmcp', summary: 'The tools that pages register' },
  { operationId: 'getStatus', method: 'GET', path: '/status', summary: 'How the service stands' },
  { operationId: 'registerAgent', method: 'POST', path: '/agent/auth/register', summary: ALWAYS_REFUSED },
  { operationId: 'claimAgentCredential', method: 'POST', path: '/agent/auth/claim', summary: ALWAYS_REFUSED },
  { operationId: 'revokeAgentCredential', method: 'POST', path: '/agent/auth/revoke', summary: ALWAYS_REFUSED },
]

/** The folder of the skill under `/.well-known/agent-skills`. */
export const SKILL_NAME = 'vitrine-public-read'

/** Digits of the sign-in code that the app sends by email. */
export const EMAIL_CODE_LENGTH = 6
