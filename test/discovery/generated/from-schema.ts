/** Values that a schema of the document allows, and values that it does not. */
import fc from 'fast-check'
import type { JsonSchema } from '../../../src/discovery/openapi/types.js'
import type { PublishedApi } from './published-api.js'

const MAX_LENGTH = 30
const MAX_ITEMS = 4

/** Any value that the schema allows. */
export function allowed(api: PublishedApi, schema: JsonSchema): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return allowed(api, api.resolved<JsonSchema>({ $ref: schema.$ref }))
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return fc.oneof(...choices.map((choice: JsonSchema) => allowed(api, choice)))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => allowed(api, { ...schema, type })))
  return byType(api, schema)
}

function byType(api: PublishedApi, schema: JsonSchema): fc.Arbitrary<unknown> {
  const number = (keyword: string, fallback: number): number => Number(schema[keyword] ?? fallback)
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.integer({ min: number('minimum', -1000), max: Math.min(number('maximum', 1000), 2 ** 31 - 1) })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const items = allowed(api, schema.items as JsonSchema)
      // Names that callers choose for the items of a list have to differ.
      const selector = (item: unknown) => (typeof item === 'object' && item !== null && 'id' in item ? item.id : Symbol('any'))
      return fc.uniqueArray(items, {
        minLength: number('minItems', 0),
        maxLength: Math.min(number('maxItems', MAX_ITEMS), MAX_ITEMS),
        selector,
      })
    }
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
      const requiredKeys = (schema.required ?? []) as string[]
      return fc.record(Object.fromEntries(properties.map(([name, property]) => [name, allowed(api, property)])), { requiredKeys })
    }
    default:
      return fc.jsonValue()
  }
}

function text({ format, pattern, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date')
    return fc
      .date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10))
  if (format === 'email') return fc.emailAddress()
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  return fc.string({
    unit: 'grapheme-ascii',
    minLength: Number(minLength ?? 0),
    maxLength: Math.min(Number(maxLength ?? MAX_LENGTH), MAX_LENGTH),
  })
}

const WRONG_TEXTS = [
  '',
  'x',
  '-1',
  '1.5',
  '1e3',
  'maybe',
  'yesterday',
  '2026-02-30',
  'a b',
  '"',
  '"a',
  '9'.repeat(16),
  'no_such_value',
  'x'.repeat(256),
]

/** Texts for a parameter that its schema does not allow, whatever a reader may turn them into. */
export function refusedTexts(api: PublishedApi, schema: JsonSchema): string[] {
  const bounds = [Number(schema.minimum) - 1, Number(schema.maximum) + 1].filter(Number.isSafeInteger).map(String)
  const long = typeof schema.maxLength === 'number' ? ['x'.repeat(schema.maxLength + 1)] : []
  return [...WRONG_TEXTS, ...bounds, ...long].filter((value) =>
    readings(schema, value).every((read) => api.complaints(schema, read).length > 0),
  )
}

function readings({ type }: JsonSchema, value: string): unknown[] {
  if (type === 'integer') return [value, ...(/^-?\d+$/.test(value) ? [Number(value)] : [])]
  if (type === 'boolean')
    return [value, ...(['true', '1'].includes(value) ? [true] : []), ...(['false', '0'].includes(value) ? [false] : [])]
  return [value]
}

const WRONG_VALUES: readonly unknown[] = [null, true, -1, 1.5, '', 'no_such_value', 'x'.repeat(2500), [], [[]], {}, { a: { b: 1 } }]

/** Bodies that differ from a right one in one place, and that the schema does not allow. */
export function refusedBodies(api: PublishedApi, schema: JsonSchema, right: unknown): unknown[] {
  return [...WRONG_VALUES, ...variants(right)].filter((body) => api.complaints(schema, body).length > 0)
}

/** The same value with one part left out or replaced. */
function variants(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const [first] = value
    const many = Array.from({ length: 200 }, () => first)
    return [many, ...variants(first).map((variant) => [variant])]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => {
    const { [name]: _, ...rest } = value as Record<string, unknown>
    return [rest, ...[...WRONG_VALUES, ...variants(part)].map((wrong) => ({ ...rest, [name]: wrong }))]
  })
}
