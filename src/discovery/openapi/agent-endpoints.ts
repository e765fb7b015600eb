/** The agent endpoints in the OpenAPI document. */

import { AskRequest } from '../../ask/request.js'
import {
  AskCompleteEvent,
  AskFailureEvent,
  AskResponse,
  AskResultEvent,
  AskStartEvent,
  AsyncAskJob,
  AsyncAskJobStatus,
} from '../../ask/response.js'
import { AUTH_UNAVAILABLE, EMAIL_UNAVAILABLE } from '../../contract/agent-auth-errors.js'
import { type AgentOperation, agentOperations } from '../../contract/agent-operations.js'
import { MAX_BATCH, POLL_AFTER_S, SEARCH_CHARACTERS } from '../../contract/caller-limits.js'
import { ErrorEnvelope } from '../../contract/envelope.js'
import { type Operation, pathParameters } from '../../contract/operation.js'
import type { Origins } from '../../contract/public-urls.js'
import { ServiceStatusDocument } from '../../observe/service-status.js'
import { BatchResponse, batchRequestFor } from '../../operations/batch.js'
import { agentExamples } from './agent-examples.js'
import { agentHeaders, headerRefs, sharedParameter, sharedResponse } from './components.js'
import { AgentClaim, JsonRpcRequest, JsonRpcResponse, type SchemaRegistry } from './schemas.js'
import type { Content, Endpoint, JsonSchema, OperationObject, Parameter, Reference, RequestBody, Response } from './types.js'

/** What is particular to one operation; the rest comes from the list of agent operations. */
interface EndpointDescription {
  description: string
  body?: RequestBody
  /** In addition to those of every operation. */
  responses?: Record<string, Response | Reference>
  /** Default: the web host. */
  servers?: OperationObject['servers']
  parameters?: (Parameter | Reference)[]
}

export function agentEndpoints(schemas: SchemaRegistry, sites: Origins, reads: readonly Operation[]): Endpoint[] {
  const descriptions = endpointDescriptions(schemas, sites, reads)
  return agentOperations.map((operation) => {
    const description = descriptions[operation.operationId]
    if (description === undefined) throw new Error(`nothing is said about ${operation.operationId}`)
    return {
      method: operation.method === 'GET' ? 'get' : 'post',
      path: operation.path,
      operation: operationObject(operation, description, sites),
    }
  })
}

function operationObject(
  { operationId, method, path, summary, deprecated }: AgentOperation,
  { description, body, responses, servers, parameters = [] }: EndpointDescription,
  { webUrl }: Origins,
): OperationObject {
  const inPath = pathParameters(path).flatMap((name) => PATH_PARAMETERS[name] ?? [])
  return {
    operationId,
    tags: ['agents'],
    summary,
    description,
    ...(deprecated === undefined ? {} : { deprecated: true }),
    servers: servers ?? [{ url: webUrl, description: 'The web host.' }],
    security: [],
    'x-service-permissions': ['public:read'],
    parameters: [...inPath, ...parameters, sharedParameter('ServiceApiVersion')],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      400: sharedResponse('InvalidRequest'),
      ...(method === 'POST' ? { 408: sharedResponse('BodyTooSlow') } : {}),
      ...responses,
      429: sharedResponse('RateLimited'),
      500: sharedResponse('InternalError'),
      // An overloaded process may refuse any request.
      503: sharedResponse('UpstreamUnavailable'),
    },
  }
}

const PATH_PARAMETERS: Record<string, Parameter> = {
  locale: {
    name: 'locale',
    in: 'path',
    required: true,
    description: 'Language of the answer where the question does not tell, a BCP-47 tag.',
    schema: { type: 'string' },
    example: 'de',
  },
  jobId: {
    name: 'jobId',
    in: 'path',
    required: true,
    description: 'As `POST /ask/jobs` gave it.',
    schema: { type: 'string' },
    example: '3f0d1c2b4a5e4f6789ab0c1d2e3f4a5b',
  },
}

const STREAM =
  'event: start\ndata: {"message_type":"start","_meta":{"version":"0.55","mode":"generate","locale":"en","streaming":true}}\n\n'

const QUESTION = { query: 'What is trending in games?' }

function endpointDescriptions(schemas: SchemaRegistry, sites: Origins, reads: readonly Operation[]): Record<string, EndpointDescription> {
  const { baseUrl, webUrl } = sites
  const examples = agentExamples(sites, reads)
  const postFailures = { ...BODY_FAILURES, 409: sharedResponse('Conflict'), 422: sharedResponse('ValidationFailed') }
  const ask: EndpointDescription = {
    description:
      'Answers a question about the product or the public data, with citations. With `prefer.streaming` the answer comes as server-sent events `start`, `result` (one per item) and `complete`; a failure is a `complete` with the fields of the error envelope. Without a body it says what can be asked.',
    body: {
      required: false,
      description: 'A question. May be left out, or null.',
      content: json({ anyOf: [schemas.input(AskRequest), { type: 'null' }] }, QUESTION),
    },
    responses: {
      200: answer(
        'The answer.',
        {
          ...json(schemas.output(AskResponse), examples.answer),
          'text/event-stream': { schema: eventStream(schemas), example: STREAM },
        },
        'Content-Language',
        'Idempotency-Replayed',
      ),
      ...postFailures,
    },
    parameters: [sharedParameter('IdempotencyKey')],
  }
  const mcp: EndpointDescription = {
    description:
      'One JSON-RPC message: `initialize`, `tools/list`, `tools/call`, `resources/list`, `resources/read` and a few more, in both generations of MCP. Tools only read. The product server is at the API host; on the web host the same path is a server for documentation only.',
    body: { required: true, content: json(schemas.input(JsonRpcRequest), { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }) },
    responses: {
      200: answer('The JSON-RPC response.', json(schemas.output(JsonRpcResponse), examples.rpc)),
      202: { description: 'A notification was taken note of.', headers: agentHeaders },
      400: answer(
        'As JSON-RPC: the body is no message, or its headers or its protocol version do not fit. As the error envelope: the header Service-API-Version is no date.',
        json({ oneOf: [schemas.output(JsonRpcResponse), schemas.output(ErrorEnvelope)] }, examples.rpcUnsupported),
      ),
      ...BODY_FAILURES,
      403: sharedResponse('Forbidden', 'The header Host names another service, or the header Origin a site that is not allowed.'),
      404: answer(
        'There is no such method. From revision 2026-07-28 on; before, such errors have the status 200.',
        json(schemas.output(JsonRpcResponse), examples.rpcUnknown),
      ),
    },
  }
  const info: EndpointDescription = {
    description: 'Name, version, instructions, tools and resources of the server, as JSON.',
    responses: {
      200: answer('About the server.', json({ type: 'object' }, examples.mcpInfo), 'ETag'),
      304: sharedResponse('DocumentNotModified'),
      403: sharedResponse('Forbidden', 'The header Host names another service.'),
      405: sharedResponse('MethodNotAllowed', 'The caller accepts nothing but `text/event-stream`, and there is no stream to open.'),
    },
  }
  const bothServers = [
    { url: baseUrl, description: 'The product server.' },
    { url: webUrl, description: 'The documentation server.' },
  ]
  const auth: EndpointDescription = {
    description: `There are no credentials for agents and none are needed, so this always answers \`${AUTH_UNAVAILABLE}\`; a claim by email (the method \`email_code\`, or a field \`email\` or \`code\`) answers \`${EMAIL_UNAVAILABLE}\`. Never ask a person for an email address, a code or a token.`,
    responses: { 403: sharedResponse('AgentAuthRefused') },
  }
  return {
    askServiceProductContext: ask,
    askServiceApiAlias: ask,
    askServiceNlwebAlias: ask,
    askServiceLocaleAlias: {
      ...ask,
      description: `${ask.description} The answer is in the language of the path, whatever language the question is in, unless \`prefer.accept-language\` names another.`,
      responses: { ...ask.responses, 404: sharedResponse('NotFound', 'The path begins with no language tag.') },
    },
    createAskJob: {
      ...ask,
      description: `Takes a question to be answered in the background. Look at \`status_url\` until the status is \`completed\` or \`failed\`, at most every ${POLL_AFTER_S} seconds.`,
      responses: {
        202: answer('The job.', json(schemas.output(AsyncAskJob), examples.job), 'Location', 'Retry-After', 'Idempotency-Replayed'),
        ...postFailures,
      },
    },
    getAskJobStatus: {
      description: 'How an ask job stands, and its result once it is completed. Jobs are known for 24 hours.',
      responses: {
        200: answer('The job.', json(schemas.output(AsyncAskJobStatus), examples.finished), 'Retry-After'),
        404: sharedResponse('NotFound', 'There is no such job, or no longer.'),
      },
    },
    getBatchEndpointInfo: {
      description: 'The operations a batch can hold, with their arguments.',
      responses: { 200: answer('About batches.', json({ type: 'object' }, examples.batchInfo)) },
    },
    batchPublicRead: {
      description: `Up to ${MAX_BATCH} reads in one request, answered in their order. One that fails fails alone. A batch of n counts as n public reads, a search in it as one for each ${SEARCH_CHARACTERS} characters that it begins.`,
      body: {
        required: true,
        content: json(schemas.input(batchRequestFor(reads)), { requests: [{ id: 'tags', operation: 'get_popular_tags', arguments: {} }] }),
      },
      responses: {
        200: answer(
          'One answer per request.',
          json(schemas.output(BatchResponse), examples.batch),
          'Service-Position',
          'Idempotency-Replayed',
        ),
        ...postFailures,
      },
      parameters: [sharedParameter('IdempotencyKey'), sharedParameter('ServiceMinPosition')],
    },
    getMcpServerInfo: { ...info, servers: bothServers },
    callMcpJsonRpc: { ...mcp, servers: bothServers },
    getMcpServerInfoAlternate: info,
    mcpJsonRpcAlternate: mcp,
    getWebMcpServerInfo: info,
    webMcpJsonRpc: mcp,
    getWebMcpDiscovery: {
      description: 'The tools that the pages of the web host register with the browser (WebMCP).',
      responses: {
        200: answer('Name, description and tools.', json({ type: 'object' }, examples.webmcp), 'ETag'),
        304: sharedResponse('DocumentNotModified'),
      },
    },
    getStatus: {
      description: 'How the service stands, its limits, and what to do about 429 and 5xx. Answers 200 also when something is degraded.',
      responses: { 200: answer('The status document.', json(schemas.output(ServiceStatusDocument), examples.status)) },
    },
    registerAgent: auth,
    claimAgentCredential: {
      ...auth,
      body: { required: false, description: 'For parsers only: always refused.', content: json(schemas.input(AgentClaim)) },
    },
    revokeAgentCredential: auth,
  }
}

/** OpenAPI 3.1 has no word for the data of single events, JSON Schema has one for what a text holds. */
const eventStream = (schemas: SchemaRegistry): JsonSchema => ({
  type: 'string',
  description: 'The data of each event is one of these objects; `message_type` is the name of the event.',
  contentMediaType: 'text/event-stream',
  contentSchema: {
    anyOf: [AskStartEvent, AskResultEvent, AskCompleteEvent, AskFailureEvent].map((event) => schemas.output(event)),
  },
})

const BODY_FAILURES = {
  413: sharedResponse('InvalidRequest', 'The body is too large.'),
  415: sharedResponse('InvalidRequest', 'The body is not JSON.'),
}

/** A response with the headers of every agent endpoint and some more. */
const answer = (description: string, content: Content, ...more: Parameters<typeof headerRefs>): Response => ({
  description,
  headers: { ...agentHeaders, ...headerRefs(...more) },
  content,
})

const json = (schema: JsonSchema, example?: unknown): Content => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})
