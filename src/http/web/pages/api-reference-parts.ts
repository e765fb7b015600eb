import {
  type Endpoint,
  type JsonSchema,
  METHODS,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type Reference,
  type RequestBody,
  type Response,
} from '../../../discovery/openapi/types.js'
import { type Html, html } from '../../html.js'

export const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Text whose `words in backquotes` are code. */
export const codeText = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** Of a schema in short: text, code, or the name of another schema. */
type TypePart = string | { code: string } | { schema: string }

/** A schema in short: `integer 1…48 = 24`, the choices, or the name that it has. */
export function typeParts(schema: JsonSchema): TypePart[] {
  const { $ref, type, enum: choices, const: only, minimum, maximum, maxLength, items, format, anyOf, oneOf, default: value } = schema
  const alternatives = anyOf ?? oneOf
  const preset: TypePart[] = value === undefined ? [] : [' = ', { code: String(value) }]
  if (typeof $ref === 'string') return [{ schema: $ref.slice($ref.lastIndexOf('/') + 1) }]
  if (Array.isArray(choices)) return [...joined(', ', choices, (choice) => [{ code: String(choice) }]), ...preset]
  if (only !== undefined) return [{ code: String(only) }]
  if (Array.isArray(alternatives)) return joined(' or ', alternatives, (one) => typeParts(one as JsonSchema))
  if (type === 'array' && typeof items === 'object' && items !== null) return [...typeParts(items as JsonSchema), '[]']
  const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}…${maximum ?? ''}`
  const length = maxLength === undefined ? '' : ` ≤ ${maxLength}`
  return [`${[type ?? 'object'].flat().join(' or ')}${range}${length}${format === undefined ? '' : ` (${format})`}`, ...preset]
}

const joined = (separator: string, values: readonly unknown[], parts: (value: unknown) => TypePart[]): TypePart[] =>
  values.flatMap((value, index) => [...(index === 0 ? [] : [separator]), ...parts(value)])

/** Values for parameters in the path, by name. */
export type Examples = Record<string, string>

interface Call {
  method: string
  server: string
  path: string
  parameters: readonly Parameter[]
  body: RequestBody | null
  examples: Examples
}

/** A command line that calls an endpoint with example values. */
export function curlFor({ method, server, path, parameters, body, examples }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return encodeURIComponent(String(examples[name] ?? parameter?.example ?? name))
  })
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined && parameter.example !== parameter.schema.default)
      .map(({ name, example }): [string, string] => [name, String(example)]),
  )
  const address = quoted(`${server}${filled}${query.size === 0 ? '' : `?${query}`}`)
  const [media] = Object.entries(body?.content ?? {})
  const lines = [method === 'get' ? `curl ${address}` : `curl -X ${method.toUpperCase()} ${address}`]
  if (media !== undefined) {
    const [type, { example }] = media
    lines.push(`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(JSON.stringify(example ?? {}))}`)
  }
  return lines.join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const entriesOf = (document: OpenApiDocument): Endpoint[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ method, path, operation }]
    }),
  )

/** What a call of an operation consists of, references resolved. */
export function callOf(document: OpenApiDocument, operation: OperationObject) {
  const { requestBody, servers } = operation
  return {
    parameters: (operation.parameters ?? [])
      .map((parameter) => resolved(parameter, document.components.parameters))
      .filter((one) => one !== null),
    body: requestBody ?? null,
    server: (servers ?? document.servers)[0]?.url ?? '',
    example: exampleOf(document, operation),
  }
}

function exampleOf(document: OpenApiDocument, { responses }: OperationObject): unknown {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const found = success === undefined ? null : resolved<Response>(success, document.components.responses)
  return Object.values(found?.content ?? {})[0]?.example ?? null
}

export function resolved<T extends object>(value: T | Reference, components: Record<string, T>): T | null {
  if (!('$ref' in value)) return value
  return components[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)] ?? null
}
