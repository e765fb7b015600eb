import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { schemaError } from '../contract/errors.js'
import { clip } from '../lib/message-text.js'
import { parseJson } from '../lib/parse-json.js'
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
 * What the SDK leaves to us: one message per body, JSON for every `Accept`, and for clients of the older generation errors
 * with status 200 and the code of a missing resource.
 */
export class MessageHandler {
  readonly #service: McpServerDefinition
  readonly #failed: (error: unknown) => void
  readonly #modern: McpHttpHandler

  constructor(definition: McpServerDefinition, failed: (error: unknown) => void) {
    this.#service = definition
    this.#failed = failed
    // We serve the older generation ourselves: the SDK would stream to clients that cannot read streams.
    this.#modern = createMcpHandler(({ requestInfo }) => createSdkServer(definition, failed, requestInfo?.headers.get(CALLER) ?? ''), {
      legacy: 'reject',
    })
  }

  /** `message` may be any JSON value. */
  async answer(message: unknown, headers: McpHeaders): Promise<McpReply> {
    const claim = claimedVersion(message)
    if ([fieldOf(message, 'id'), fieldOf(message, 'method'), claim].some(isTooLong))
      return this.refuse(`An id, a method or a protocol version has at most ${MAX_ID_LENGTH} characters.`)
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

  /** `null`: the body is missing or no JSON. */
  refuse(problem: string | null): McpReply {
    if (problem !== null) return errorReply(400, ProtocolErrorCode.InvalidRequest, problem)
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
    return replyOf(await this.#modern.fetch(requestFor(headers), { parsedBody: message }), (code) => code)
  }

  async #answerLegacy(message: unknown, headers: McpHeaders): Promise<McpReply> {
    const server = createSdkServer(this.#service, this.#failed, headers.caller)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await server.connect(transport)
      return await replyOf(await transport.handleRequest(requestFor(headers), { parsedBody: message }), olderCode)
    } finally {
      await server.close()
    }
  }
}

/** Answers repeat the id, and some the method or the version. */
const MAX_ID_LENGTH = 200

const isTooLong = (value: unknown): boolean => typeof value === 'string' && value.length > MAX_ID_LENGTH

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

/** Ours alone: the SDK hands on the request that we make, not who has sent it. */
const CALLER = 'vitrine-caller'

/** The request in the form the SDK requires: it insists on both media types in `Accept`, we do not. */
function requestFor({ version, method, name, caller }: McpHeaders): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream', [CALLER]: caller })
  if (version !== undefined) headers.set('mcp-protocol-version', version)
  if (method !== undefined) headers.set('mcp-method', method)
  if (name !== undefined) headers.set('mcp-name', name)
  return new Request('http://mcp.invalid/', { method: 'POST', headers })
}

type ErrorCode = (code: number, data: unknown) => number

/** The older generation has a code for a missing resource, which the SDK does not send. Only this error names a `uri`. */
const olderCode: ErrorCode = (code, data) =>
  code === ProtocolErrorCode.InvalidParams && fieldOf(data, 'uri') !== undefined ? ProtocolErrorCode.ResourceNotFound : code

async function replyOf(response: Response, codeOf: ErrorCode): Promise<McpReply> {
  const body = await response.text()
  return { status: response.status, body: body === '' ? null : shortenFailure(body, codeOf) }
}

function errorReply(status: number, code: number, message: string, to?: unknown, data?: object): McpReply {
  const id = fieldOf(to, 'id')
  const error = { code, message, ...(data === undefined ? {} : { data }) }
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, error }) }
}

const Failure = z.looseObject({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) })
const Issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1)
const MAX_MESSAGE = 500
const MAX_DATA = 1000

/** The SDK answers wrong parameters with a validator dump, mostly as an internal error, and repeats what was sent. We say briefly what is wrong. */
function shortenFailure(body: string, codeOf: ErrorCode): string {
  // Parse only what may be an error.
  if (!body.includes('"error":{"code":')) return body
  const failure = Failure.safeParse(JSON.parse(body))
  if (!failure.success) return body
  const { code, message, data } = failure.data.error
  const issues = issuesIn(message)
  const error =
    issues === null
      ? {
          code: codeOf(code, data),
          message: clip(message, MAX_MESSAGE),
          ...(JSON.stringify(data ?? null).length > MAX_DATA ? {} : { data }),
        }
      : { code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${schemaError('validation_failed', issues).message}` }
  return JSON.stringify({ ...failure.data, error })
}

/** How messages with a dump begin. No text of a caller follows on these beginnings. */
const DUMP = /^(?:Invalid tools\/call request: )?(?=\[)/

function issuesIn(message: string): z.infer<typeof Issues> | null {
  const [beginning] = DUMP.exec(message) ?? []
  return beginning === undefined ? null : (Issues.safeParse(parseJson(message.slice(beginning.length))).data ?? null)
}
