import t from 'tap'
import { otherThanAdditions } from './additions.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const body = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } })
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 48, default: 24 } }
const RELEASED = {
  servers: [{ url: 'https://api.example' }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        tags: ['books'],
        security: [],
        parameters: [limit, { name: 'sort', in: 'query', schema: { type: 'string', enum: ['new', 'old'] } }],
        responses: { 200: { description: 'Books', headers: { ETag: { required: true, schema: { type: 'string' } } }, ...body('Book') } },
      },
      post: { operationId: 'findBooks', requestBody: body('Filter'), responses: { 429: { description: 'Busy' } } },
    },
  },
  components: {
    schemas: {
      Book: {
        type: 'object',
        properties: { title: { type: 'string' }, place: { oneOf: [{ type: 'string' }, { type: 'integer' }] }, sequel: ref('Book') },
        required: ['title'],
      },
      Filter: { type: 'object', properties: { years: { type: 'array', items: ref('Years') } } },
      Years: { type: 'object', properties: { from: { type: ['integer', 'null'] } }, required: [] },
    },
    parameters: { Token: { name: 'token', in: 'header', required: true } },
  },
}

type Change = [what: string, path: string, value?: unknown]
const [GET, BOOK] = ['paths /books get', 'components schemas Book']

const breaking: Change[] = [
  ['a path is gone', 'paths /books'],
  ['a method is gone', 'paths /books post'],
  ['a schema is gone', 'components schemas Filter'],
  ['a server is gone', 'servers', []],
  ['another operationId', `${GET} operationId`, 'books'],
  ['a tag is gone', `${GET} tags`, []],
  ['credentials', `${GET} security`, [{ app: [] }]],
  ['a parameter is gone', `${GET} parameters 1`, { name: 'order', in: 'query' }],
  ['a new parameter is required', `${GET} parameters 2`, { name: 'shelf', in: 'query', required: true }],
  ['so is a shared one', `${GET} parameters 2`, { $ref: '#/components/parameters/Token' }],
  ['a parameter becomes required', `${GET} parameters 0 required`, true],
  ['a lower maximum', `${GET} parameters 0 schema maximum`, 24],
  ['a first minimum', `${GET} parameters 0 schema minimum`, 1],
  ['another default', `${GET} parameters 0 schema default`, 12],
  ['a value is no longer accepted', `${GET} parameters 1 schema enum`, ['new']],
  ['only some values are accepted', `${GET} parameters 0 schema enum`, [1]],
  ['a body becomes required', 'paths /books post requestBody required', true],
  ['a body where there was none', `${GET} requestBody`, body('Filter')],
  ['a media type is gone', 'paths /books post requestBody content', {}],
  ['a field of a request is gone', 'components schemas Filter properties years'],
  ['a field of a request becomes required', 'components schemas Filter required', ['years']],
  ['also within one', 'components schemas Years required', ['from']],
  ['null is no longer accepted', 'components schemas Years properties from type', 'integer'],
  ['further fields are refused', 'components schemas Filter additionalProperties', false],
  ['a status is gone', `${GET} responses 200`],
  ['a header is gone', `${GET} responses 200 headers ETag`],
  ['a header may be missing', `${GET} responses 200 headers ETag required`, false],
  ['a field is gone', `${BOOK} properties title`],
  ['a field may be missing', `${BOOK} required`, []],
  ['a field may be null', `${BOOK} properties title type`, ['string', 'null']],
  ['a field has another shape', `${BOOK} properties place oneOf 1 type`, 'boolean'],
  ['a field has a further shape', `${BOOK} properties place oneOf 2`, { type: 'boolean' }],
]

const additions: Change[] = [
  ['nothing', 'servers 0 url', 'https://api.example'],
  ['a path', 'paths /authors', { get: {} }],
  ['a method', 'paths /books delete', { operationId: 'x' }],
  ['a schema', 'components schemas Author', {}],
  ['a server', 'servers 1', { url: 'https://eu.example' }],
  ['a tag', `${GET} tags 1`, 'shelves'],
  ['other words', `${GET} description`, 'All of them'],
  ['deprecation', `${GET} deprecated`, true],
  ['an extension', `${GET} x-name`, 'list'],
  ['an optional parameter', `${GET} parameters 2`, { name: 'shelf', in: 'query' }],
  ['a value that is accepted', `${GET} parameters 1 schema enum 2`, 'best'],
  ['an optional field of a request', 'components schemas Filter properties genre', { type: 'string' }],
  ['a status', `${GET} responses 503`, { description: 'Later' }],
  ['a header', `${GET} responses 200 headers Age`, { schema: { type: 'integer' } }],
  ['a field', `${BOOK} properties isbn`, { type: 'string' }],
  ['a field called like a keyword', `${BOOK} properties description`, { type: 'string' }],
  ['a field that is always there', `${BOOK} required`, ['title', 'sequel']],
]

/** The released document with one thing set, or deleted. */
function changed([, path, value]: Change): typeof RELEASED {
  const document = structuredClone(RELEASED)
  const names = path.split(' ')
  const last = names.pop() ?? ''
  const target = names.reduce<object>((part, name) => Reflect.get(part, name), document)
  if (value === undefined) Reflect.deleteProperty(target, last)
  else Reflect.set(target, last, value)
  return document
}

t.test('whatever may break a client is named', async (t) => {
  for (const change of breaking) t.equal(otherThanAdditions(RELEASED, changed(change)).length, 1, change[0])
})

t.test('additions are not', async (t) => {
  for (const change of additions) t.strictSame(otherThanAdditions(RELEASED, changed(change)), [], change[0])
})
