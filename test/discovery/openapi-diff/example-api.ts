import type {
  Header,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Response,
} from '../../../src/discovery/openapi/types.js'

/** A small released API with one of everything. */
export function released(): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Shelf', version: '1.0.0', summary: 'Books', description: 'Books', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: 'https://api.shelf.example' }],
    security: [],
    tags: [{ name: 'books', description: 'Books' }],
    paths: { '/books': { get: listBooks(), post: findBooks() } },
    components: {
      schemas: {
        Book: book(),
        Filter: filter(),
        Unused: {},
        Shelf: { type: 'object', properties: { books: { type: 'array', items: ref('Book') } } },
      },
      responses: {
        Busy: { description: 'Busy', headers: { 'Retry-After': { description: 'Wait', required: true, schema: { type: 'integer' } } } },
      },
      parameters: { Version: { name: 'Version', in: 'header', description: 'Version', schema: { type: 'string', format: 'date' } } },
      headers: { ETag: { description: 'Tag', schema: { type: 'string' } } },
    },
  }
}

export const listBooks = (): OperationObject => ({
  operationId: 'listBooks',
  tags: ['books'],
  summary: 'Books',
  description: 'Books',
  security: [],
  servers: [{ url: 'https://api.shelf.example' }, { url: 'https://shelf.example' }],
  'x-service-permissions': ['public:read'],
  parameters: [
    { name: 'limit', in: 'query', description: 'How many', schema: { type: 'integer', minimum: 1, maximum: 48, default: 24 } },
    { name: 'sort', in: 'query', description: 'Order', schema: { type: 'string', enum: ['new', 'old'] } },
    { name: 'q', in: 'query', description: 'Text', schema: { type: 'string', maxLength: 200 } },
    { name: 'any', in: 'query', description: 'Anything', schema: {} },
    { $ref: '#/components/parameters/Version' },
  ],
  responses: {
    200: {
      description: 'Books',
      headers: { ETag: { $ref: '#/components/headers/ETag' } },
      content: { 'application/json': { schema: ref('Shelf') } },
    },
    429: { $ref: '#/components/responses/Busy' },
  },
})

const findBooks = (): OperationObject => ({
  ...listBooks(),
  operationId: 'findBooks',
  parameters: [],
  responses: {},
  requestBody: { content: { 'application/json': { schema: ref('Filter') } } },
})

const book = (): JsonSchema => ({
  type: 'object',
  properties: {
    code: { type: 'integer', const: 0 },
    title: { type: 'string' },
    pages: { type: 'integer', minimum: 0 },
    rating: { type: 'number' },
    kind: { type: 'string', enum: ['novel', 'essay'] },
    cover: { type: ['string', 'null'] },
    printedAt: { type: 'string', format: 'date-time' },
    author: { anyOf: [{ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }, { type: 'null' }] },
    place: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    names: { type: 'object', additionalProperties: { type: 'string' } },
    sequel: ref('Book'),
  },
  required: ['code', 'title', 'pages', 'rating', 'kind', 'cover', 'printedAt', 'author', 'place', 'names'],
})

const filter = (): JsonSchema => ({
  type: 'object',
  properties: {
    words: { type: 'array', maxItems: 5, items: { type: 'string' } },
    year: { type: ['integer', 'null'] },
    place: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  },
})

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** The ways into the document below: each leads to a part that a test may change. */
export const item = (document: OpenApiDocument): PathItem => there(document.paths['/books'])
export const get = (document: OpenApiDocument): OperationObject => there(item(document).get)
export const ok = (document: OpenApiDocument): Response => inline(get(document).responses[200])
export const body = (document: OpenApiDocument): RequestBody => inline(item(document).post?.requestBody)
export const version = (document: OpenApiDocument): Parameter => there(document.components.parameters.Version)
export const retryAfter = (document: OpenApiDocument): Header => inline(document.components.responses.Busy?.headers?.['Retry-After'])
export const schema = (document: OpenApiDocument, name: string): JsonSchema => there(document.components.schemas[name])
export const field = (document: OpenApiDocument, name: string, of: string): JsonSchema => there(fields(document, name)[of])

export function parameter(document: OpenApiDocument, name: string): Parameter {
  return inline(get(document).parameters?.find((candidate) => 'name' in candidate && candidate.name === name))
}

export function fields(document: OpenApiDocument, name: string): Record<string, JsonSchema> {
  return schema(document, name).properties as Record<string, JsonSchema>
}

export function set(document: OpenApiDocument, name: string, of: string, value: JsonSchema): void {
  fields(document, name)[of] = value
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the released document has no such part')
  return value
}

function inline<T extends object>(value: T | Reference | undefined): T {
  const found = there(value)
  if ('$ref' in found) throw new Error('this part is a reference')
  return found
}
