/** Requests made from the published document, sent over sockets to the hosts that its addresses stand for. */
import fc from 'fast-check'
import type { JsonSchema, Parameter } from '../../../src/discovery/openapi/types.js'
import { allowed, refusedBodies, refusedTexts } from './from-schema.js'
import type { PublishedApi, PublishedOperation } from './published-api.js'

export interface GeneratedRequest {
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  body?: string
}

/** What schemas cannot say: which texts are languages, and which names exist. */
const KNOWN: Record<string, fc.Arbitrary<unknown>> = {
  locale: fc.constantFrom('en', 'de-AT', 'ja', 'x-klingon'),
  handle: fc.constantFrom('ben', 'Ada-L', 'nobody'),
  slug: fc.constantFrom('Garden.Maze', 'tide-clock', 'nothing'),
  // Only a page of the same feed has one.
  cursor: fc.constant(undefined),
  // Two requests with one key must not meet by chance.
  'Idempotency-Key': fc.oneof(
    fc.uuid(),
    fc.uuid().map((key) => `"a key: \\"${key}\\""`),
  ),
  'Service-Min-Position': fc.constantFrom(0, 1, 5),
}

/** A request that the document allows. */
export function rightRequest(api: PublishedApi, operation: PublishedOperation): fc.Arbitrary<GeneratedRequest> {
  const values = Object.fromEntries(operation.parameters.map((parameter) => [parameter.name, anyValue(api, parameter)]))
  return fc
    .record({ values: fc.record(values), body: anyBody(api, operation) })
    .map(({ values, body }) => requestOf(operation, values, body))
}

function anyValue(api: PublishedApi, { name, schema, required }: Parameter): fc.Arbitrary<unknown> {
  const value = KNOWN[name] ?? allowed(api, schema)
  return required ? value.filter((given) => !['', '.', '..'].includes(String(given))) : fc.option(value, { nil: undefined })
}

function anyBody(api: PublishedApi, { body }: PublishedOperation): fc.Arbitrary<unknown> {
  const schema = body?.content['application/json']?.schema
  if (body === undefined || schema === undefined) return fc.constant(undefined)
  return body.required ? allowed(api, schema) : fc.option(allowed(api, schema), { nil: undefined })
}

function requestOf({ method, path, parameters }: PublishedOperation, values: Record<string, unknown>, body: unknown): GeneratedRequest {
  const headers: Record<string, string> = { accept: 'application/json' }
  const query = new URLSearchParams()
  let filled = path
  for (const { name, in: place } of parameters) {
    const value = values[name]
    if (value === undefined) continue
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (place === 'query') query.set(name, String(value))
    else headers[name] = String(value)
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const suffix = query.size === 0 ? '' : `?${query}`
  return { method: method.toUpperCase(), path: filled + suffix, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}

/** Requests that break one rule of the document each, by what is wrong with them. */
export function wrongRequests(api: PublishedApi, operation: PublishedOperation): [wrong: string, request: GeneratedRequest][] {
  const right = Object.fromEntries(
    operation.parameters.filter(({ in: place }) => place === 'path').map(({ name, example }) => [name, example]),
  )
  const media = operation.body?.content['application/json']
  const parameters = operation.parameters
    .filter(({ in: place }) => place !== 'path')
    .flatMap(({ name, schema }) =>
      refusedTexts(api, schema).map((value): [string, GeneratedRequest] => [
        `${name}: ${value.slice(0, 20)}`,
        requestOf(operation, { ...right, [name]: value }, media?.example),
      ]),
    )
  if (media === undefined) return parameters
  const bodies = wrongBodies(api, media.schema, media.example).map(([wrong, body]): [string, GeneratedRequest] => [
    `body: ${wrong.slice(0, 60)}`,
    { ...requestOf(operation, right, {}), body },
  ])
  return [...parameters, ...bodies]
}

const wrongBodies = (api: PublishedApi, schema: JsonSchema, example: unknown): [string, string][] => [
  ...['{', '{"a":1,}', 'x', '\u0000'].map((text): [string, string] => [`no JSON (${JSON.stringify(text)})`, text]),
  ...refusedBodies(api, schema, example).map((value): [string, string] => [JSON.stringify(value), JSON.stringify(value)]),
]
