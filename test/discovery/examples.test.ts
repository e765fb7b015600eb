import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { openApiDocument } from '../../src/discovery/openapi/document.js'
import type { Content, JsonSchema } from '../../src/discovery/openapi/types.js'
import { publicReads } from '../support/built-in-models.js'

const document = openApiDocument({ baseUrl: 'https://api.vitrine.example', webUrl: 'https://vitrine.example' }, publicReads)
const { components } = document

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    date: /^\d{4}-\d{2}-\d{2}$/,
    'date-time': (text: string) => /^\d{4}-\d{2}-\d{2}T.*Z$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
})

/** Checks an example against its schema; returns the complaints. */
function complaints(schema: JsonSchema, example: unknown): unknown {
  // A reference is looked up from the root, so the named schemas come along.
  const validate = ajv.compile({ ...schema, components })
  return validate(example) ? [] : validate.errors
}

const contents = (content: Content = {}) => Object.values(content)

t.test('every example matches its schema', async (t) => {
  for (const [path, { get }] of Object.entries(document.paths)) {
    for (const parameter of get?.parameters ?? []) {
      if ('$ref' in parameter || parameter.example === undefined) continue
      t.same(complaints(parameter.schema, parameter.example), [], `${path} ${parameter.name}`)
    }
    for (const [status, response] of Object.entries(get?.responses ?? {})) {
      if ('$ref' in response) continue
      t.not(contents(response.content).length, 0)
      for (const { schema, example } of contents(response.content)) t.same(complaints(schema, example), [], `${path} ${status}`)
    }
  }
})

t.test('and so do the shared ones', async (t) => {
  for (const [name, { content }] of Object.entries(components.responses)) {
    for (const { schema, example } of contents(content)) t.same(complaints(schema, example), [], name)
  }
  const single = { ...components.headers, ...components.parameters }
  for (const [name, { schema, example }] of Object.entries(single)) t.same(complaints(schema, example), [], name)
})

t.test('a wrong example would be noticed', async (t) => {
  t.notSame(complaints({ $ref: '#/components/schemas/CommunityFeedResponse' }, { code: 0, data: { items: [{}] } }), [])
  t.notSame(complaints({ $ref: '#/components/schemas/Error' }, { code: 0 }), [])
})
