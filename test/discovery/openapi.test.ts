import { createConfig, lintFromString } from '@redocly/openapi-core'
import t from 'tap'
import { z } from 'zod'
import { pathParameters } from '../../src/contract/operation.js'
import { openApiDocument } from '../../src/discovery/openapi/document.js'
import type { Parameter, Reference } from '../../src/discovery/openapi/types.js'
import { publicReads } from '../support/built-in-models.js'

const sites = { baseUrl: 'https://api.vitrine.example', webUrl: 'https://vitrine.example' }
const document = openApiDocument(sites, publicReads)
const described = publicReads.map((operation) => {
  const found = document.paths[operation.path]?.get
  if (found === undefined) throw new Error(`${operation.name} is not described`)
  return { operation, found }
})

/** What was released may not change: see published.test.ts. */
t.test('it passes the linter without a warning', async (t) => {
  const config = await createConfig({ extends: ['recommended'] })
  const lint = (source: object) => lintFromString({ source: JSON.stringify(source), absoluteRef: 'openapi.json', config })
  // The agent auth endpoints never say yes, and the document does not pretend they do.
  const problems = (await lint(document)).filter(
    ({ ruleId, location }) => !(ruleId === 'operation-2xx-response' && location[0]?.pointer?.includes('agent~1auth')),
  )
  t.same(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
    [],
  )
  t.not((await lint({ ...document, info: {} })).length, 0, 'the linter is awake')
})

t.test('every input is a parameter', async (t) => {
  for (const { operation, found } of described) {
    const parameters = (found.parameters ?? []).filter(isInline)
    t.same(
      parameters.map(({ name }) => name),
      Object.keys(operation.input.shape),
      operation.name,
    )
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    t.same(
      inPath.map(({ name, required }) => ({ name, required })),
      pathParameters(operation.path).map((name) => ({ name, required: true })),
    )
    t.ok(
      parameters.every(({ description }) => description !== ''),
      'each says what it is for',
    )
    const shared = (found.parameters ?? []).filter((parameter) => !isInline(parameter))
    t.same(shared, [{ $ref: '#/components/parameters/ServiceApiVersion' }, { $ref: '#/components/parameters/ServiceMinPosition' }])
  }
})

t.test('answers stay open to new fields', async (t) => {
  const text = JSON.stringify(document)
  t.notMatch(text, '"additionalProperties":false')
  t.notMatch(text, '$defs')
  t.notMatch(text, '"$schema"')
})

t.test('a deprecated operation says so', async (t) => {
  const [first] = publicReads
  if (first === undefined) throw new Error('the registry is empty')
  const deprecated = { since: new Date('2026-01-01'), sunset: new Date('2026-06-01'), link: 'https://vitrine.example/changelog' }
  const { paths } = openApiDocument(sites, [{ ...first, deprecated }])
  t.equal(paths[first.path]?.get?.deprecated, true)
  t.equal(document.paths[first.path]?.get?.deprecated, undefined)
})

t.test('a parameter without a description has none', async (t) => {
  const [first] = publicReads
  if (first === undefined) throw new Error('the registry is empty')
  const { paths } = openApiDocument(sites, [{ ...first, input: z.object({ q: z.string() }), example: { ...first.example, input: {} } }])
  t.strictSame(paths[first.path]?.get?.parameters?.[0], { name: 'q', in: 'query', required: true, schema: { type: 'string' } })
})

t.test('mistakes in the registry are found when the document is made', async (t) => {
  t.throws(() => openApiDocument(sites, [...publicReads, ...publicReads]), /GET \/public\/share\/community is described twice/)
  const [first] = publicReads
  if (first === undefined) throw new Error('the registry is empty')
  const impostor = { ...first, path: '/other', operationId: 'getOther', output: z.object({ x: z.string() }).meta({ id: 'Creation' }) }
  t.throws(() => openApiDocument(sites, [first, impostor]), /Creation/)
})

function isInline(parameter: Parameter | Reference): parameter is Parameter {
  return !('$ref' in parameter)
}
