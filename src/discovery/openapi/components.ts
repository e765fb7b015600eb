/** What all operations of the document share: headers, header parameters and error responses. */
import { AUTH_UNAVAILABLE } from '../../contract/agent-auth-errors.js'
import { AgentAuthErrorEnvelope, ErrorEnvelope, errorEnvelope } from '../../contract/envelope.js'
import { type ErrorName, ServiceError, type ServiceErrorOptions, summaryOf } from '../../contract/errors.js'
import { API_VERSION } from '../../contract/operation.js'
import { IDEMPOTENCY_KEY, MAX_POSITION } from '../../contract/request-headers.js'
import type { SchemaRegistry } from './schemas.js'
import type { Header, Headers, JsonSchema, Parameter, Reference, Response } from './types.js'

const REQUEST_ID = '6f1c7c0e-5d0a-4f53-9c1f-0f6f3f6f8a11'

const text: JsonSchema = { type: 'string' }
const wholeNumber: JsonSchema = { type: 'integer', minimum: 0 }

export const headers = {
  ETag: { description: 'Tag of this answer, for `If-None-Match`.', schema: text, example: '"Zk3fJw2n0Qm1y8sT5bXc"' },
  'Cache-Control': { description: 'How long the answer may be kept.', schema: text, example: 'public, no-cache' },
  'Content-Language': { description: 'The languages of the texts in the answer.', schema: text, example: 'en' },
  'Service-API-Version': {
    description: 'The version that answered.',
    schema: { type: 'string', format: 'date' },
    example: API_VERSION,
  },
  'Service-Position': { description: 'Position in the event log that the answer reflects.', schema: wholeNumber, example: 48210 },
  'X-Request-Id': { description: 'Names this request in our logs.', schema: text, example: REQUEST_ID },
  'RateLimit-Policy': {
    description: 'The limit that applies: requests (`q`) and seconds (`w`).',
    schema: text,
    example: '"public";q=120;w=60',
  },
  RateLimit: { description: 'Requests left (`r`) and seconds until there are more (`t`).', schema: text, example: '"public";r=119;t=60' },
  'RateLimit-Limit': { description: 'Requests per window.', schema: wholeNumber, example: 120 },
  'RateLimit-Remaining': { description: 'Requests left in this window.', schema: wholeNumber, example: 119 },
  'RateLimit-Reset': { description: 'Seconds of silence until one passes, or all if some are left.', schema: wholeNumber, example: 60 },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: wholeNumber, example: 12 },
  'Idempotency-Replayed': {
    description: 'The answer is the one of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  Allow: { description: 'The methods that are possible here.', schema: text, example: 'POST, OPTIONS' },
  Location: {
    description: 'Where to go next.',
    schema: { type: 'string', format: 'uri' },
    example: 'https://vitrine.example/ask/jobs/3f0d1c2b',
  },
  Deprecation: { description: 'Since when the operation is deprecated (RFC 9745), if it is.', schema: text, example: '@1798761600' },
  Sunset: {
    description: 'When a deprecated operation ends (RFC 8594): at least 90 days after its deprecation.',
    schema: text,
    example: 'Thu, 01 Apr 2027 00:00:00 GMT',
  },
  Link: {
    description: 'For a deprecated operation, where to read what replaces it (`rel="deprecation"`).',
    schema: text,
    example: '<https://vitrine.example/changelog>; rel="deprecation"',
  },
} satisfies Record<string, Header>

type HeaderName = keyof typeof headers

export const headerRefs = (...names: HeaderName[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const commonHeaders = headerRefs('Service-API-Version', 'X-Request-Id')
const rateLimitHeaders = headerRefs('RateLimit-Policy', 'RateLimit', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')
const retryHeaders = headerRefs('Retry-After')

const answerHeaders = (...own: HeaderName[]): Headers => ({
  ...headerRefs(...own),
  ...commonHeaders,
  ...rateLimitHeaders,
  ...headerRefs('Deprecation', 'Sunset', 'Link'),
})
export const readHeaders = answerHeaders('ETag', 'Cache-Control', 'Content-Language', 'Service-Position')
export const agentHeaders = answerHeaders('Cache-Control')

export const parameters = {
  ServiceApiVersion: {
    name: 'Service-API-Version',
    in: 'header',
    description: 'Version selector. Any date is served as the one version there is; what is no date is refused.',
    schema: { type: 'string', format: 'date' },
    example: API_VERSION,
  },
  ServiceMinPosition: {
    name: 'Service-Min-Position',
    in: 'header',
    description:
      'Wait, up to two seconds, until the answer reflects at least this position of the event log; after that it is a 504, in a batch that of the single read. What is no position is a 400.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_POSITION },
    example: 48210,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'For 24 hours, the same key with the same payload gets the same answer again, marked `Idempotency-Replayed: true`; with another payload it is a 422, and a 409 while the first request is running. Keys belong to the caller and the path. Failures are not kept. 1 to 255 visible ASCII characters, in double quotes (then with spaces, too) or bare; anything else is a 400.',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
    example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
  },
} satisfies Record<string, Parameter>

export const sharedParameter = (name: keyof typeof parameters): Reference => ({ $ref: `#/components/parameters/${name}` })

/** Responses without data, by their names in `components.responses`. */
export function sharedResponses(schemas: SchemaRegistry) {
  const answer = (name: ErrorName, more: Headers, message: string, options: ServiceErrorOptions = {}): Response => ({
    description: `${summaryOf(name)}.`,
    headers: { ...headerRefs('Cache-Control'), ...commonHeaders, ...more },
    content: {
      'application/json': {
        schema: schemas.output(options.authError === undefined ? ErrorEnvelope : AgentAuthErrorEnvelope),
        example: errorEnvelope(new ServiceError(name, message, options), REQUEST_ID),
      },
    },
  })
  return {
    NotModified: { description: 'Nothing new since the answer whose tag came in `If-None-Match`.', headers: readHeaders },
    DocumentNotModified: {
      description: 'Nothing new since the document whose tag came in `If-None-Match`.',
      headers: { ...agentHeaders, ...headerRefs('ETag') },
    },
    InvalidRequest: answer('invalid_request', rateLimitHeaders, `Service-API-Version must be a date such as ${API_VERSION}.`),
    MethodNotAllowed: answer('invalid_request', { ...rateLimitHeaders, ...headerRefs('Allow') }, 'Send messages by POST.', { status: 405 }),
    NotFound: answer('not_found', rateLimitHeaders, 'No creator has this handle.'),
    Forbidden: answer('forbidden', rateLimitHeaders, 'Pages of this origin may not use MCP here.'),
    AgentAuthRefused: {
      ...answer('forbidden', rateLimitHeaders, 'There are no credentials for agents, and none are needed.', {
        authError: AUTH_UNAVAILABLE,
      }),
      description: 'There is no credential flow for agents.',
    },
    Conflict: answer('conflict', { ...rateLimitHeaders, ...retryHeaders }, 'A request with this Idempotency-Key is still running.'),
    ValidationFailed: answer('validation_failed', rateLimitHeaders, 'limit: Too big: expected number to be <=48', {
      details: [{ path: 'limit', message: 'Too big: expected number to be <=48' }],
    }),
    RateLimited: answer('rate_limited', { ...rateLimitHeaders, ...retryHeaders }, 'More than 120 requests in 60 seconds: wait 12 s.'),
    InternalError: answer('internal_error', rateLimitHeaders, 'Something went wrong here. The request id helps us to find it.'),
    UpstreamUnavailable: answer('upstream_unavailable', { ...rateLimitHeaders, ...retryHeaders }, 'Not ready yet.'),
    BodyTooSlow: {
      ...answer('timeout', rateLimitHeaders, 'The body came too slowly.', { status: 408 }),
      description: 'The body took too long: try again.',
    },
    Timeout: answer('timeout', { ...rateLimitHeaders, ...retryHeaders }, 'The models have not reached position 48210 yet.'),
  }
}

type SharedResponse = keyof ReturnType<typeof sharedResponses>

export const sharedResponse = (name: SharedResponse, description?: string): Reference => ({
  $ref: `#/components/responses/${name}`,
  ...(description === undefined ? {} : { description }),
})
