import t from 'tap'
import { otherThanAdditions } from './additions.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const body = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } })
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 48, enum: [1, 2] } }
const read = { tags: ['books'], parameters: [limit], responses: { 200: { headers: { ETag: { required: true } }, ...body('Book') } } }
const Book = { properties: { title: { type: 'string' } }, required: ['title'] }
const Filter = { properties: { years: ref('Years') }, required: [] }
const schemas = { Book, Filter, Years: { properties: { from: { type: ['integer', 'null'] } }, required: [] } }
const RELEASED = { paths: { '/books': { get: read, post: { requestBody: body('Filter') } } }, components: { schemas } }

/** `path = JSON` sets a member of the released document, `path` alone deletes it. */
const BREAKING = `/books; get responses 200; get responses 200 headers ETag; Filter; Filter properties years; Book properties title
  get tags = []; get security = [{"app": []}]; get parameters 0 schema maximum = 24; get parameters 0 schema minimum = 1
  get parameters 0 = {"name": "order", "in": "query"}; get parameters 1 = {"name": "shelf", "in": "query", "required": true}
  get parameters 0 schema enum = [1]; get parameters 0 required = true; get requestBody = {}; post requestBody content = {}
  Filter required = ["years"]; Years required = ["from"]; Years properties from type = "integer"; Filter additionalProperties = false
  Book required = []; Book properties title type = ["string", "null"]; get responses 200 headers ETag required = false`
const ADDITIONS = `/authors = {"get": {}}; /books delete = {}; get tags 1 = "x"; get description = "All"; get deprecated = true
  get parameters 1 = {"name": "shelf", "in": "query"}; get parameters 0 schema enum 2 = 3; Filter properties genre = {}
  get responses 503 = {}; get responses 200 headers Age = {}; Book properties description = {}; Book required = ["title", "sequel"]
  get x-name = "list"`

function changes(change: string): string[] {
  const [where = '', value] = change.split(' = ')
  const full = where
    .replace(/^(?=get|post)/, '/books ')
    .replace(/^(?=\/)/, 'paths ')
    .replace(/^(?=[A-Z])/, 'components schemas ')
  const names = full.split(' ')
  const last = names.pop() ?? ''
  const document = structuredClone(RELEASED)
  const target = names.reduce<object>((part, name) => Reflect.get(part, name), document)
  if (value === undefined) Reflect.deleteProperty(target, last)
  else Reflect.set(target, last, JSON.parse(value))
  return otherThanAdditions(RELEASED, document)
}

t.test('whatever may break a client is named, and additions are not', async (t) => {
  for (const change of BREAKING.split(/;\s|\n\s*/)) t.equal(changes(change).length, 1, change)
  for (const change of ADDITIONS.split(/;\s|\n\s*/)) t.strictSame(changes(change), [], change)
})
