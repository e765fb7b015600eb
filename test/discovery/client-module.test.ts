/** The printed types: of every kind of schema, and of schemas with odd names and texts. */
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { z } from 'zod'
import { modelSet } from '../../src/compose/models/model-set.js'
import { operation } from '../../src/contract/operation.js'
import { printClientModule } from '../../src/discovery/client/client-module.js'
import { literal, TypePrinter } from '../../src/discovery/client/type-printer.js'
import { openApiDocument } from '../../src/discovery/openapi/document.js'
import type { JsonSchema } from '../../src/discovery/openapi/types.js'

const SITES = { baseUrl: 'https://api.example', webUrl: 'https://web.example' }
const printer = new TypePrinter({ Review: {} })
const review = { $ref: '#/components/schemas/Review' }

const TABLE: [JsonSchema, string][] = [
  [{}, 'unknown'],
  [{ type: 'string', format: 'date-time' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'boolean' }, 'boolean'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ const: 0 }, '0'],
  [{ const: 'it\'s "so"' }, `'it\\'s "so"'`],
  [{ enum: ['a', 'b', null] }, "'a' | 'b' | null"],
  [{ enum: [] }, 'never'],
  [review, 'Review'],
  [{ anyOf: [review, { type: 'null' }] }, 'Review | null'],
  [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
  [{ allOf: [review, { type: ['string', 'null'] }] }, 'Review & (string | null)'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
  [{ type: 'array', items: { type: 'array', items: review } }, 'Review[][]'],
  [{ type: 'array' }, 'unknown[]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }, review] }, '[string, Review]'],
  [{ type: 'array', prefixItems: [review], items: { type: ['string', 'null'] } }, '[Review, ...(string | null)[]]'],
  [{ type: 'object' }, '{ [key: string]: unknown }'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number }'],
  [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, '{ a: string }'],
  [{ properties: { a: { description: 'An a.', default: 7 } } }, '{\n  /** An a. Default: 7. */\n  a?: unknown | undefined\n}'],
  [{ properties: { 'a-b': {} }, additionalProperties: { type: 'number' } }, "{ 'a-b'?: unknown | undefined; [key: string]: unknown }"],
]

t.test('schemas', async (t) => {
  for (const [schema, expected] of TABLE) t.equal(printer.type(schema), expected, JSON.stringify(schema))
  for (const $ref of ['#/components/schemas/Unknown', '#/components/schemas/constructor', 'https://example.com/schema.json'])
    t.throws(() => printer.type({ $ref }), { message: `cannot follow the reference ${$ref}` })
})

t.test('names', async (t) => {
  const ids = ['Error', 'x.reviews.Review', 'XReviewsReview', 'Operations', '2d', 'größe', '', '*/', 'constructor']
  const named = new TypePrinter(Object.fromEntries(ids.map((id) => [id, {}])))
  t.strictSame(
    ids.map((id) => named.type({ $ref: `#/components/schemas/${id}` })),
    ['ErrorEnvelope', 'XReviewsReview', 'XReviewsReview2', 'Operations2', 'Schema2d', 'Größe', 'Schema', 'Schema2', 'Constructor'],
  )
})

t.test('a literal is the value it stands for', async (t) => {
  const values = ['', "'", '"', '\\', `\\'`, `\\"`, 'a\nb', '\u2028', '`', 7, true, null]
  t.strictSame(
    values.map((value) => runInNewContext(literal(value))),
    values,
  )
})

const read = operation({
  name: 'x_list_reviews',
  operationId: 'xListReviews',
  path: '/public/share/x/reviews/{slug}',
  tag: 'apps',
  summary: 'Reviews',
  description: 'Ends the comment */ export const leaked = 1 /*\nand goes on.',
  input: z.object({ slug: z.string(), cursor: z.string().optional(), stars: z.literal([1, 2, 3]).default(3) }),
  output: z
    .object({ items: z.array(z.object({ text: z.string(), byline: z.string().nullable() })), next_cursor: z.string().nullable() })
    .meta({ id: 'x.reviews.Page', description: 'One page.' }),
  models: [],
  deprecated: { since: new Date('2026-01-01'), sunset: new Date('2027-01-01'), link: 'https://example.com' },
  example: { input: { slug: 'a' }, output: { items: [], next_cursor: null } },
  run: async () => ({ items: [], next_cursor: null }),
})

t.test('a model of one’s own is printed like the built-in ones', async (t) => {
  const printed = printClientModule(openApiDocument(SITES, [...modelSet().reads, read]))
  t.ok(printed.includes("import type { OperationTable } from 'vitrine/client'"))
  t.ok(printed.includes('/** One page. */\nexport interface XReviewsPage {'))
  t.ok(printed.includes("  xListReviews: { name: 'x_list_reviews', path: '/public/share/x/reviews/{slug}' },"))
  t.ok(printed.includes('      slug: string\n'))
  t.ok(printed.includes('      stars?: 1 | 2 | 3 | undefined\n'))
  t.ok(printed.includes('   * and goes on.\n   * @deprecated */\n'))
  t.notOk(printed.includes('*/ export'))
  t.notOk(printed.includes('JsonRpcRequest'), 'what the client does not use is left out')
})
