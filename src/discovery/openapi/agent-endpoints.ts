/** The agent endpoints in the OpenAPI document. */

import { AskRequest } from '../../ask/request.js'
import { AskResponse, AsyncAskJob, AsyncAskJobStatus, POLL_AFTER_S } from '../../ask/response.js'
import { AUTH_UNAVAILABLE, EMAIL_UNAVAILABLE } from '../../contract/agent-auth-errors.js'
import { type AgentOperation, agentOperations } from '../../contract/agent-operations.js'
import { type Operation, pathParameters } from '../../contract/operation.js'
import type { Origins } from '../../contract/public-urls.js'
import { ServiceStatusDocument } from '../../observe/service-status.js'
import { BatchRequest, BatchResponse, MAX_BATCH } from '../../operations/batch.js'
import { agentExamples } from './agent-examples.js'
import { AgentClaim, JsonRpcRequest, JsonRpcResponse } from './agent-schemas.js'
import { agentHeaders, headerRefs, sharedParameter, sharedResponse } from './components.js'
import type { SchemaRegistry } from './schemas.js'
import type { Content, Endpoint, JsonSchema, OperationObject, Parameter, Reference, RequestBody, Response } from './types.js'

/** What is particular to one operation; the rest comes from the list of agent operations. */
interface EndpointDescription {
  description: string
  body?: RequestBody
  success?: Record<string, Response>
  /** In addition to those of every operation. */
  failures?: Record<string, Response | Reference>
  /** Default: the web host. */
  servers?: OperationObject['servers']
  parameters?: (Parameter | Reference)[]
}

export function agentEndpoints(schemas: SchemaRegistry, sites: Origins, reads: readonly Operation[]): Endpoint[] {
  const shapes = endpointDescriptions(schemas, sites, reads)
  return agentOperations.map((operation) => ({
    method: operation.method === 'GET' ? 'get' : 'post',
    path: operation.path,
    operation: describe(operation, descriptionOf(shapes, operation), sites),
  }))
}

function descriptionOf(shapes: ReadonlyMap<string, EndpointDescription>, { operationId }: AgentOperation): EndpointDescription {
  const shape = shapes.get(operationId)
  if (shape === undefined) throw new Error(`nothing is said about ${operationId}`)
  return shape
}

function describe(
  { operationId, method, path, summary, deprecated }: AgentOperation,
  shape: EndpointDescription,
  { webUrl }: Origins,
): OperationObject {
  const inPath = pathParameters(path)
    .map((name) => PATH_PARAMETERS[name])
    .filter((found) => found !== undefined)
  return {
    operationId,
    tags: ['agents'],
    summary,
    description: shape.description,
    ...(deprecated === undefined ? {} : { deprecated: true }),
    servers: shape.servers ?? [{ url: webUrl, description: 'The web host.' }],
    security: [],
    'x-service-permissions': ['public:read'],
    parameters: [...inPath, ...(shape.parameters ?? []), sharedParameter('ServiceApiVersion')],
    ...(shape.body === undefined ? {} : { requestBody: shape.body }),
    responses: {
      ...shape.success,
      400: sharedResponse('InvalidRequest'),
      ...(method === 'POST' ? { 408: sharedResponse('BodyTooSlow') } : {}),
      ...shape.failures,
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

const STREAM = 'event: start\ndata: {"message_type":"start","_meta":{"streaming":true}}\n\n'

const QUESTION = { query: 'What is trending in games?' }

function endpointDescriptions(
  schemas: SchemaRegistry,
  sites: Origins,
  reads: readonly Operation[],
): ReadonlyMap<string, EndpointDescription> {
  const { baseUrl, webUrl } = sites
  const examples = agentExamples(sites, reads)
  const ask: EndpointDescription = {
    description:
      'Answers a question about the product or the public data, with citations. With `prefer.streaming` the answer comes as server-sent events `start`, `result` (one per item) and `complete`. Without a body it says what can be asked.',
    body: { required: false, description: 'A question. May be left out.', content: json(schemas.input(AskRequest), QUESTION) },
    success: {
      200: {
        description: 'The answer.',
        headers: { ...agentHeaders, ...headerRefs('Content-Language', 'Idempotency-Replayed') },
        content: {
          ...json(schemas.output(AskResponse), examples.answer),
          'text/event-stream': { schema: { type: 'string' }, example: STREAM },
        },
      },
    },
    failures: { ...bodyFailures, 409: sharedResponse('Conflict'), 422: sharedResponse('ValidationFailed') },
    parameters: [sharedParameter('IdempotencyKey')],
  }
  const mcp: EndpointDescription = {
    description:
      'One JSON-RPC message: `initialize`, `tools/list`, `tools/call`, `resources/list`, `resources/read` and a few more, in both generations of MCP. Tools only read. The product server is at the API host; on the web host the same path is a server for documentation only.',
    body: { required: true, content: json(schemas.input(JsonRpcRequest), { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }) },
    success: {
      200: { description: 'The JSON-RPC response.', headers: agentHeaders, content: json(schemas.output(JsonRpcResponse), examples.rpc) },
      202: { description: 'A notification was taken note of.', headers: agentHeaders },
    },
    failures: {
      ...bodyFailures,
      403: sharedResponse('Forbidden', 'The header Host or Origin names another service.'),
      404: {
        description: 'There is no such method. From revision 2026-07-28 on; before, such errors have the status 200.',
        headers: agentHeaders,
        content: json(schemas.output(JsonRpcResponse), examples.rpcUnknown),
      },
    },
  }
  const info: EndpointDescription = {
    description: 'Name, version, instructions, tools and resources of the server, as JSON.',
    success: { 200: { description: 'About the server.', headers: agentHeaders, content: json({ type: 'object' }, examples.mcpInfo) } },
    failures: { 403: sharedResponse('Forbidden', 'The header Host or Origin names another service.') },
  }
  const bothServers = [
    { url: baseUrl, description: 'The product server.' },
    { url: webUrl, description: 'The documentation server.' },
  ]
  const auth: EndpointDescription = {
    description: `There are no credentials for agents and none are needed, so this always answers \`${AUTH_UNAVAILABLE}\`; a claim by email (the method \`email_code\`, or a field \`email\` or \`code\`) answers \`${EMAIL_UNAVAILABLE}\`. Never ask a person for an email address, a code or a token.`,
    failures: { 403: sharedResponse('AgentAuthRefused') },
  }
  return new Map<string, EndpointDescription>([
    ['askServiceProductContext', ask],
    ['askServiceApiAlias', ask],
    ['askServiceNlwebAlias', ask],
    [
      'askServiceLocaleAlias',
      { ...ask, failures: { ...ask.failures, 404: sharedResponse('NotFound', 'The path begins with no language tag.') } },
    ],
    [
      'createAskJob',
      {
        ...ask,
        description: `Takes a question to be answered in the background. Look at \`status_url\` until the status is \`completed\` or \`failed\`, at most every ${POLL_AFTER_S} seconds.`,
        success: {
          202: {
            description: 'The job.',
            headers: { ...agentHeaders, ...headerRefs('Location', 'Retry-After', 'Idempotency-Replayed') },
            content: json(schemas.output(AsyncAskJob), examples.job),
          },
        },
      },
    ],
    [
      'getAskJobStatus',
      {
        description: 'How an ask job stands, and its result once it is completed. Jobs are known for 24 hours.',
        success: {
          200: {
            description: 'The job.',
            headers: { ...agentHeaders, ...headerRefs('Retry-After') },
            content: json(schemas.output(AsyncAskJobStatus), examples.finished),
          },
        },
        failures: { 404: sharedResponse('NotFound', 'There is no such job, or no longer.') },
      },
    ],
    [
      'getBatchEndpointInfo',
      {
        description: 'The operations a batch can hold, with their arguments.',
        success: { 200: { description: 'About batches.', headers: agentHeaders, content: json({ type: 'object' }, examples.batchInfo) } },
      },
    ],
    [
      'batchPublicRead',
      {
        description: `Up to ${MAX_BATCH} reads in one request, answered in their order. One that fails fails alone. A batch of n counts as n public reads.`,
        body: {
          required: true,
          content: json(schemas.input(BatchRequest), { requests: [{ id: 'tags', operation: 'get_popular_tags', arguments: {} }] }),
        },
        success: {
          200: {
            description: 'One answer per request.',
            headers: { ...agentHeaders, ...headerRefs('Service-Position', 'Idempotency-Replayed') },
            content: json(schemas.output(BatchResponse), examples.batch),
          },
        },
        failures: {
          ...bodyFailures,
          409: sharedResponse('Conflict'),
          422: sharedResponse('ValidationFailed'),
        },
        parameters: [sharedParameter('IdempotencyKey'), sharedParameter('ServiceMinPosition')],
      },
    ],
    ['getMcpServerInfo', { ...info, servers: bothServers }],
    ['callMcpJsonRpc', { ...mcp, servers: bothServers }],
    ['mcpJsonRpcAlternate', mcp],
    ['getWebMcpServerInfo', info],
    ['webMcpJsonRpc', mcp],
    [
      'getWebMcpDiscovery',
      {
        description: 'The tools that the pages of the web host register with the browser (WebMCP).',
        success: {
          200: {
            description: 'Name, description and tools.',
            headers: { ...agentHeaders, ...headerRefs('ETag') },
            content: json({ type: 'object' }, examples.webmcp),
          },
        },
        failures: { 304: sharedResponse('DocumentNotModified') },
      },
    ],
    [
      'getStatus',
      {
        description: 'How the service stands, its limits, and what to do about 429 and 5xx. Answers 200 also when something is degraded.',
        success: {
          200: {
            description: 'The status document.',
            headers: agentHeaders,
            content: json(schemas.output(ServiceStatusDocument), examples.status),
          },
        },
      },
    ],
    ['registerAgent', auth],
    [
      'claimAgentCredential',
      {
        ...auth,
        body: { required: false, description: 'For parsers only: refused whatever it holds.', content: json(schemas.input(AgentClaim)) },
      },
    ],
    ['revokeAgentCredential', auth],
  ])
}

const bodyFailures = {
  413: sharedResponse('InvalidRequest', 'The body is too large.'),
  415: sharedResponse('InvalidRequest', 'The body is not JSON.'),
}

const json = (schema: JsonSchema, example?: unknown): Content => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})
