import { successEnvelope } from '../../contract/envelope.js'
import { type Operation, pathParameters } from '../../contract/operation.js'
import type { Origins } from '../../contract/public-urls.js'
import { readHeaders, sharedParameter, sharedResponse } from './components.js'
import type { SchemaRegistry } from './schemas.js'
import type { Endpoint, JsonSchema, OperationObject, Parameter, Response, Server } from './types.js'

/** The public reads in the OpenAPI document. */
export const publicReadEndpoints = (schemas: SchemaRegistry, sites: Origins, reads: readonly Operation[]): Endpoint[] =>
  reads.map((operation) => ({ method: 'get', path: operation.path, operation: describe(operation, schemas, sites) }))

function describe(operation: Operation, schemas: SchemaRegistry, sites: Origins): OperationObject {
  const { name, operationId, tag, summary, description, deprecated, onWebHost, notFound } = operation
  const fromInput = inputParameters(operation, schemas)
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(deprecated === undefined ? {} : { deprecated: true }),
    ...(onWebHost ? { servers: bothHosts(sites) } : {}),
    security: [],
    'x-service-permissions': ['public:read'],
    'x-service-operation': name,
    parameters: [...fromInput, sharedParameter('ServiceApiVersion'), sharedParameter('ServiceMinPosition')],
    responses: {
      200: success(operation, schemas),
      304: sharedResponse('NotModified'),
      400: sharedResponse('InvalidRequest'),
      ...(notFound === undefined ? {} : { 404: sharedResponse('NotFound', `${notFound}.`) }),
      ...(fromInput.length === 0 ? {} : { 422: sharedResponse('ValidationFailed') }),
      429: sharedResponse('RateLimited'),
      500: sharedResponse('InternalError'),
      503: sharedResponse('UpstreamUnavailable'),
      504: sharedResponse('Timeout'),
    },
  }
}

const bothHosts = ({ baseUrl, webUrl }: Origins): Server[] => [
  { url: baseUrl, description: 'The API host.' },
  { url: webUrl, description: 'The web host: the same feed, for those who already are there.' },
]

function inputParameters({ path, input, example }: Operation, schemas: SchemaRegistry): Parameter[] {
  const { properties = {}, required = [] } = schemas.input(input) as { properties?: Record<string, JsonSchema>; required?: string[] }
  const inPath = pathParameters(path)
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property
    const shown = example.input[name] ?? (Array.isArray(schema.examples) ? schema.examples[0] : schema.default)
    return {
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      ...(inPath.includes(name) || required.includes(name) ? { required: true } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      schema,
      ...(shown === undefined ? {} : { example: shown }),
    }
  })
}

function success({ operationId, summary, output, example }: Operation, schemas: SchemaRegistry): Response {
  const envelope = {
    type: 'object',
    description: `${summary}, in the success envelope.`,
    properties: { code: { type: 'integer', const: 0 }, data: schemas.output(output) },
    required: ['code', 'data'],
  }
  return {
    description: `${summary}.`,
    headers: readHeaders,
    content: {
      'application/json': { schema: schemas.name(responseName(operationId), envelope), example: successEnvelope(example.output) },
    },
  }
}

/** `getCommunityFeed` → `CommunityFeedResponse`. */
const responseName = (operationId: string): string => {
  const name = operationId.replace(/^get/, '')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Response`
}
