import t from 'tap'
import type { OpenApiDocument } from '../../../src/discovery/openapi/types.js'
import { breakingChanges } from './breaking-changes.js'
import { body, field, fields, get, item, listBooks, ok, parameter, ref, released, retryAfter, schema, set, version } from './example-api.js'

type Change = [what: string, change: (document: OpenApiDocument) => void, ...expected: RegExp[]]

const breaking: Change[] = [
  ['a path is removed', (d) => delete d.paths['/books'], /^\/books is gone$/],
  ['a method is removed', (d) => delete item(d).post, /^POST \/books is gone$/],
  ['a schema is removed', (d) => delete d.components.schemas.Unused, /^schema Unused is gone$/],
  ['the operationId changes', (d) => (get(d).operationId = 'books'), /GET \/books has another operationId \(listBooks → books\)/],
  ['a tag is lost', (d) => (get(d).tags = ['shelves']), /lost the tag books/],
  ['credentials are asked for', (d) => (get(d).security = [{ app: [] }]), /GET \/books now needs credentials/],
  ['a server of an operation is removed', (d) => get(d).servers?.pop(), /no longer at https:\/\/shelf\.example/],
  ['the server is removed', (d) => (d.servers = []), /the document is no longer at/],

  ['a parameter is removed', (d) => get(d).parameters?.shift(), /GET \/books: query parameter limit is gone/],
  ['a shared parameter is removed', (d) => get(d).parameters?.pop(), /header parameter version is gone/],
  [
    'a new parameter is required',
    (d) => get(d).parameters?.push({ ...parameter(d, 'q'), name: 'shelf', required: true }),
    /shelf is new and required/,
  ],
  ['a parameter becomes required', (d) => (parameter(d, 'q').required = true), /query parameter q is now required/],
  ['a parameter moves', (d) => (parameter(d, 'q').in = 'header'), /query parameter q is gone/],
  ['a parameter has another type', (d) => (parameter(d, 'q').schema.type = 'integer'), /q no longer accepts string/],
  ['an untyped parameter gets a type', (d) => (parameter(d, 'any').schema = { type: ['string', 'null'] }), /any now accepts only string/],
  ['a parameter loses an enum value', (d) => (parameter(d, 'sort').schema.enum = ['new']), /sort no longer accepts "old"/],
  ['a parameter gets an enum', (d) => (parameter(d, 'q').schema.enum = ['a']), /q now accepts only \["a"\]/],
  ['a maximum is lowered', (d) => (parameter(d, 'limit').schema.maximum = 24), /limit has a tighter maximum \(48 → 24\)/],
  ['a minimum is raised', (d) => (parameter(d, 'limit').schema.minimum = 2), /limit has a tighter minimum \(1 → 2\)/],
  ['a maxLength is shortened', (d) => (parameter(d, 'q').schema.maxLength = 100), /q has a tighter maxLength/],
  ['a minLength appears', (d) => (parameter(d, 'q').schema.minLength = 1), /q has a tighter minLength \(none → 1\)/],
  ['a maximum appears', (d) => (schema(d, 'Filter').maxProperties = 2), /request has a tighter maxProperties/],
  ['a pattern appears', (d) => (parameter(d, 'q').schema.pattern = '^a'), /q has a tighter pattern/],
  ['a default changes', (d) => (parameter(d, 'limit').schema.default = 12), /limit has another default \(24 → 12\)/],
  ['a shared parameter is narrowed', (d) => (version(d).schema.enum = ['2026-05-26']), /version now accepts only/],

  ['a request body becomes required', (d) => (body(d).required = true), /POST \/books: request is now required/],
  [
    'a request body appears and is required',
    (d) => (get(d).requestBody = { required: true, content: {} }),
    /GET \/books: request is new and required/,
  ],
  ['a request body is removed', (d) => delete item(d).post?.requestBody, /request is no longer accepted/],
  ['a media type of the request is removed', (d) => (body(d).content = {}), /request has no application\/json any more/],
  ['a field of the request is removed', (d) => delete fields(d, 'Filter').words, /request\.words is no longer accepted/],
  ['a field of the request becomes required', (d) => (schema(d, 'Filter').required = ['year']), /request\.year is now required/],
  ['null is no longer accepted', (d) => (field(d, 'Filter', 'year').type = 'integer'), /request\.year no longer accepts null/],
  [
    'a shape is no longer accepted',
    (d) => set(d, 'Filter', 'place', { type: 'string' }),
    /request\.place no longer accepts one of its shapes/,
  ],
  [
    'elements are narrowed',
    (d) => (field(d, 'Filter', 'words').items = { type: 'integer' }),
    /request\.words\[\] no longer accepts string/,
  ],
  ['further fields are refused', (d) => (schema(d, 'Filter').additionalProperties = false), /request no longer accepts further fields/],

  ['a response is removed', (d) => delete get(d).responses[429], /GET \/books: 429 is gone/],
  ['a media type is removed', (d) => (ok(d).content = {}), /200 has no application\/json any more/],
  ['a header is removed', (d) => (ok(d).headers = {}), /200: header ETag is gone/],
  ['a header of a shared response may be missing', (d) => (retryAfter(d).required = false), /429: header Retry-After may now be missing/],
  ['a header has another type', (d) => (retryAfter(d).schema = { type: 'string' }), /429: header Retry-After may now be string/],
  ['a field is removed', (d) => delete fields(d, 'Book').title, /^GET \/books: 200\.books\[\]\.title is gone$/],
  ['a field becomes optional', (d) => (schema(d, 'Book').required as string[]).shift(), /books\[\]\.code may now be missing/],
  ['a field becomes nullable', (d) => (field(d, 'Book', 'title').type = ['string', 'null']), /title may now be null/],
  [
    'a field becomes nullable by a choice',
    (d) => set(d, 'Book', 'title', { anyOf: [{ type: 'string' }, { type: 'null' }] }),
    /title may now be null/,
  ],
  ['a field has another type', (d) => (field(d, 'Book', 'title').type = 'object'), /title may now be object/],
  ['a field gets a further type', (d) => (field(d, 'Book', 'title').type = ['string', 'integer']), /title may now be integer/],
  ['an integer becomes a number', (d) => (field(d, 'Book', 'pages').type = 'number'), /pages may now be number/],
  ['a field loses its type', (d) => set(d, 'Book', 'title', {}), /title may now be null/, /title may now be anything/],
  ['a constant changes', (d) => (field(d, 'Book', 'code').const = 1), /code is no longer always 0/],
  ['a value is renamed', (d) => (field(d, 'Book', 'kind').enum = ['novel', 'ESSAY']), /kind no longer says "essay" but "ESSAY"/],
  ['a format is given up', (d) => set(d, 'Book', 'printedAt', { type: 'string' }), /printedAt no longer keeps its format/],
  ['a minimum is given up', (d) => set(d, 'Book', 'pages', { type: 'integer' }), /pages no longer keeps its minimum \(0 → none\)/],
  [
    'a field within a nullable object is removed',
    (d) => set(d, 'Book', 'author', { anyOf: [{ type: 'object' }, { type: 'null' }] }),
    /author\.name is gone/,
  ],
  [
    'a shape appears',
    (d) => (field(d, 'Book', 'place').oneOf = [{ type: 'string' }, { type: 'boolean' }]),
    /place may now have a shape it never had/,
  ],
  [
    'the values of a map change',
    (d) => (field(d, 'Book', 'names').additionalProperties = { type: 'integer' }),
    /names\.\* may now be integer/,
  ],
  ['a list becomes something else', (d) => set(d, 'Shelf', 'books', ref('Book')), /200\.books may now be object/],
]

const harmless: Change[] = [
  ['nothing', () => {}],
  ['a new path', (d) => (d.paths['/authors'] = { get: { ...listBooks(), operationId: 'listAuthors' } })],
  ['a new method', (d) => (item(d).delete = { ...listBooks(), operationId: 'x' })],
  ['a new schema', (d) => (d.components.schemas.Author = { type: 'object' })],
  ['a further tag', (d) => get(d).tags.push('shelves')],
  ['a new server', (d) => d.servers.push({ url: 'https://eu.shelf.example' })],
  ['deprecation', (d) => (get(d).deprecated = true)],
  ['other words', (d) => Object.assign(get(d), { summary: 'All', description: 'All books' })],
  ['a new optional parameter', (d) => get(d).parameters?.push({ ...parameter(d, 'q'), name: 'shelf' })],
  ['a header parameter in other letters', (d) => (version(d).name = 'VERSION')],
  ['a shared parameter written out', (d) => get(d).parameters?.splice(-1, 1, version(d))],
  ['a parameter for the whole path', (d) => (item(d).parameters = get(d).parameters?.splice(0, 1) ?? [])],
  ['a new enum value in an input', (d) => (parameter(d, 'sort').schema.enum = ['new', 'old', 'best'])],
  ['an enum lifted from an input', (d) => (parameter(d, 'sort').schema = { type: 'string' })],
  ['a higher maximum, a lower minimum', (d) => Object.assign(parameter(d, 'limit').schema, { maximum: 100, minimum: 0 })],
  ['a limit lifted', (d) => (parameter(d, 'q').schema = { type: 'string' })],
  ['a first default', (d) => (parameter(d, 'sort').schema.default = 'new')],
  ['an integer input that takes numbers', (d) => (parameter(d, 'limit').schema.type = 'number')],
  ['a new optional field of the request', (d) => set(d, 'Filter', 'genre', { type: 'string' })],
  [
    'a further shape of the request',
    (d) => (field(d, 'Filter', 'place').oneOf = [{ type: 'boolean' }, { type: 'string' }, { type: 'number' }]),
  ],
  ['an optional body where there was none', (d) => (get(d).requestBody = { content: {} })],
  ['a new status', (d) => (get(d).responses[503] = { $ref: '#/components/responses/Busy' })],
  ['a new header', (d) => (ok(d).headers = { ...ok(d).headers, Age: { description: 'Age', schema: { type: 'integer' } } })],
  ['a new field', (d) => set(d, 'Book', 'isbn', { type: 'string' })],
  ['an optional field that is now always there', (d) => (schema(d, 'Book').required as string[]).push('sequel')],
  ['a field that is never null any more', (d) => (field(d, 'Book', 'cover').type = 'string')],
  ['a new enum value in an output', (d) => (field(d, 'Book', 'kind').enum = ['novel', 'essay', 'poem'])],
  ['an enum value that no longer occurs', (d) => (field(d, 'Book', 'kind').enum = ['novel'])],
  ['a number that is always an integer', (d) => (field(d, 'Book', 'rating').type = 'integer')],
  ['a tighter promise', (d) => Object.assign(field(d, 'Book', 'pages'), { minimum: 1, maximum: 9000 })],
  ['a shape that no longer occurs', (d) => set(d, 'Book', 'place', { type: 'string' })],
  ['a schema written out', (d) => set(d, 'Shelf', 'books', { type: 'array', items: structuredClone(schema(d, 'Book')) })],
  [
    'a schema extended by allOf',
    (d) =>
      set(d, 'Shelf', 'books', {
        type: 'array',
        items: { allOf: [ref('Book'), { type: 'object', properties: { isbn: { type: 'string' } } }] },
      }),
  ],
]

function changed(change: Change[1]): OpenApiDocument {
  const document = released()
  change(document)
  return document
}

for (const [what, change, ...expected] of breaking) {
  t.test(`breaking: ${what}`, async (t) => {
    const found = breakingChanges(released(), changed(change))
    t.equal(found.length, expected.length, found.join('\n'))
    for (const pattern of expected)
      t.ok(
        found.some((line) => pattern.test(line)),
        `${pattern} in ${JSON.stringify(found)}`,
      )
  })
}

for (const [what, change] of harmless) {
  t.test(`not breaking: ${what}`, async (t) => t.same(breakingChanges(released(), changed(change)), []))
}
