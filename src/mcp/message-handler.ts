import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { McpHeaders, McpReply } from './endpoint.js'
import { createSdkServer } from './sdk-server.js'
import {
  FIRST_STATELESS_REVISION,
  HANDSHAKE_REVISIONS,
  type McpServerDefinition,
  PROTOCOL_VERSIONS,
  STATELESS_REVISIONS,
} from './server-definition.js'

const [NEWEST_WITH_HANDSHAKE] = HANDSHAKE_REVISIONS
const UNKNOWN_CLIENT = { protocolVersion: NEWEST_WITH_HANDSHAKE, capabilities: {}, clientInfo: { name: 'unknown', version: 'unknown' } }

/**
 * What the SDK leaves to us: one message per body, JSON for every `Accept`, and errors with status 200 for clients of
 * the older generation.
 */
export class MessageHandler {
  readonly #service: McpServerDefinition
  readonly #failed: (error: unknown) => void
  readonly #modern: McpHttpHandler

  constructor(definition: McpServerDefinition, failed: (error: unknown) => void) {
    this.#service = definition
    this.#failed = failed
    // We serve the older generation ourselves: the SDK would stream to clients that cannot read streams.
    this.#modern = createMcpHandler(() => createSdkServer(definition, failed), { legacy: 'reject' })
  }

  /** `message` may be any JSON value. */
  async answer(message: unknown, headers: McpHeaders): Promise<McpReply> {
    const claim = claimedVersion(message)
    const { version } = headers
    const isModern = isOfNewerGeneration(message, claim, version)
    if (version !== undefined && !PROTOCOL_VERSIONS.includes(version) && (claim === undefined || claim === version)) {
      // What `server/discover` or `initialize` would agree to: a client of one generation does not speak the other.
      const supported = isModern ? STATELESS_REVISIONS : HANDSHAKE_REVISIONS
      const data = { supported, requested: version.slice(0, 100) }
      return errorReply(400, ProtocolErrorCode.UnsupportedProtocolVersion, 'This protocol version is not supported.', message, data)
    }
    if (Array.isArray(message)) {
      return errorReply(isModern ? 400 : 200, ProtocolErrorCode.InvalidRequest, 'Send one message per request: batches are not possible.')
    }
    const reply = await this.#dispatch(message, headers)
    return isModern || reply.body === null ? reply : { ...reply, status: 200 }
  }

  /** For a missing body or one that is no JSON. */
  answerUnreadable(): McpReply {
    return errorReply(400, ProtocolErrorCode.ParseError, 'The body must be one JSON-RPC message.')
  }

  async #dispatch(message: unknown, headers: McpHeaders): Promise<McpReply> {
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      body: message,
      ...(headers.version === undefined ? {} : { protocolVersionHeader: headers.version }),
      ...(headers.method === undefined ? {} : { mcpMethodHeader: headers.method }),
      ...(headers.name === undefined ? {} : { mcpNameHeader: headers.name }),
    })
    if (route.kind === 'legacy') return this.#answerLegacy(withClientInfo(message), headers)
    if (route.kind === 'modern' && route.message.method === 'subscriptions/listen') {
      // We announce no changes, so a stream would stay empty.
      return errorReply(404, ProtocolErrorCode.MethodNotFound, 'Method not found: nothing here changes while you listen.', message)
    }
    return replyOf(await this.#modern.fetch(requestFor(headers), { parsedBody: message }))
  }

  async #answerLegacy(message: unknown, headers: McpHeaders): Promise<McpReply> {
    const server = createSdkServer(this.#service, this.#failed)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await server.connect(transport)
      return await replyOf(await transport.handleRequest(requestFor(headers), { parsedBody: message }))
    } finally {
      await server.close()
    }
  }
}

/** By the method that only one generation has, by `_meta`, and else by the header, if it is the date of a revision. */
function isOfNewerGeneration(message: unknown, claim: unknown, version: string | undefined): boolean {
  if (claim !== undefined || fieldOf(message, 'method') === 'server/discover') return true
  if (fieldOf(message, 'method') === 'initialize' || version === undefined) return false
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= FIRST_STATELESS_REVISION
}

/** The revision named in `_meta`; only the newer generation sends it. */
function claimedVersion(message: unknown): unknown {
  const meta = fieldOf(fieldOf(message, 'params'), '_meta')
  return fieldOf(meta, PROTOCOL_VERSION_META_KEY)
}

/** Clients may leave out `params`, even of `initialize`; the SDK requires them. */
function withClientInfo(message: unknown): unknown {
  const params = fieldOf(message, 'params')
  if (fieldOf(message, 'method') !== 'initialize' || typeof params !== 'object' || params === null || Array.isArray(params)) return message
  return { ...Object(message), params: { ...UNKNOWN_CLIENT, ...params } }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined
}

/** The request in the form the SDK requires: it insists on both media types in `Accept`, we do not. */
function requestFor({ version, method, name }: McpHeaders): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  if (version !== undefined) headers.set('mcp-protocol-version', version)
  if (method !== undefined) headers.set('mcp-method', method)
  if (name !== undefined) headers.set('mcp-name', name)
  return new Request('http://mcp.invalid/', { method: 'POST', headers })
}

async function replyOf(response: Response): Promise<McpReply> {
  const body = await response.text()
  return { status: response.status, body: body === '' ? null : describeInvalidParams(body) }
}

function errorReply(status: number, code: number, message: string, to?: unknown, data?: object): McpReply {
  const id = fieldOf(to, 'id')
  const error = { code, message, ...(data === undefined ? {} : { data }) }
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, error }) }
}

const Failure = z.looseObject({ error: z.looseObject({ code: z.int(), message: z.string() }) })
const Issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1)

/** The SDK answers wrong parameters with a validator dump, mostly as an internal error. We say in words what is wrong. */
export function describeInvalidParams(body: string): string {
  // Parse only what may be an error.
  if (!body.includes('"error":{"code":')) return body
  const failure = Failure.safeParse(JSON.parse(body))
  const issues = failure.success ? issuesIn(failure.data.error.message) : null
  if (!failure.success || issues === null) return body
  const message = `Invalid params: ${issues.map(({ path, message: what }) => `${path.join('.')}: ${what}`).join('; ')}`
  return JSON.stringify({ ...failure.data, error: { code: ProtocolErrorCode.InvalidParams, message } })
}

function issuesIn(message: string): z.infer<typeof Issues> | null {
  const [dump] = /\[\s*\{.*\}\s*\]$/s.exec(message) ?? []
  if (dump === undefined) return null
  try {
    return Issues.safeParse(JSON.parse(dump)).data ?? null
  } catch {
    return null
  }
}
