/** The published document as a client generator sees it: its operations, and what an answer has to look like. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Reference,
  RequestBody,
  Response as ResponseObject,
} from '../../../src/discovery/openapi/types.js'
import { SECURITY_HEADERS } from '../../../src/http/plugins/response-headers.js'

/** Of HTTP, of CORS, and of what every answer carries for browsers. */
const TRANSPORT = new Set([
  ...[
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'date',
    'keep-alive',
    'transfer-encoding',
    'vary',
    'x-accel-buffering',
  ],
  ...['access-control-allow-origin', 'access-control-expose-headers'],
  ...Object.keys(SECURITY_HEADERS).map((name) => name.toLowerCase()),
])

export interface PublishedOperation {
  method: 'get' | 'post'
  path: string
  /** Where it is served. */
  servers: string[]
  parameters: Parameter[]
  body: RequestBody | undefined
  responses: OperationObject['responses']
}

export class PublishedApi {
  readonly document: OpenApiDocument
  readonly #ajv: Ajv2020
  readonly #compiled = new Map<JsonSchema, ValidateFunction>()

  constructor(document: OpenApiDocument) {
    this.document = document
    const anything = () => true
    const date = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toISOString().startsWith(text)
    const formats = {
      date,
      'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
      uri: (text: string) => URL.canParse(text),
      email: anything,
    }
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  }

  operations(): PublishedOperation[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      (['get', 'post'] as const).flatMap((method) => {
        const operation = item[method]
        if (operation === undefined) return []
        const { parameters = [], requestBody, responses, servers = this.document.servers } = operation
        return {
          method,
          path,
          servers: servers.map(({ url }) => url),
          parameters: parameters.map((parameter) => this.resolved<Parameter>(parameter)),
          body: requestBody === undefined ? undefined : this.resolved<RequestBody>(requestBody),
          responses,
        }
      }),
    )
  }

  /** What a reference stands for. */
  resolved<T extends object>(part: T | Reference): T {
    if (!('$ref' in part)) return part
    const [, , kind = '', name = ''] = String(part.$ref).split('/')
    const found = (this.document.components as unknown as Record<string, Record<string, T>>)[kind]?.[name]
    if (found === undefined) throw new Error(`${part.$ref} leads nowhere`)
    return found
  }

  /** What is wrong with a value, in the words of the validator. */
  complaints(schema: JsonSchema, value: unknown): string[] {
    let validate = this.#compiled.get(schema)
    if (validate === undefined) {
      // A reference is looked up from the root, so the named schemas come along.
      validate = this.#ajv.compile({ ...schema, components: this.document.components })
      this.#compiled.set(schema, validate)
    }
    return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  /** Everything in which an answer differs from what the operation declares. */
  differences({ responses }: PublishedOperation, status: number, headers: Headers, body: string): string[] {
    const declared = responses[String(status)]
    if (declared === undefined) return [`the status ${status} is not declared`]
    const { content, headers: declaredHeaders = {} } = this.resolved<ResponseObject>(declared)
    const names = new Set(Object.keys(declaredHeaders).map((name) => name.toLowerCase()))
    const undeclared = [...headers.keys()].filter((name) => !names.has(name) && !TRANSPORT.has(name))
    const found = undeclared.map((name) => `the header ${name} is not declared for ${status}`)
    for (const [name, header] of Object.entries(declaredHeaders)) {
      const value = headers.get(name)
      const { schema } = this.resolved<{ schema: JsonSchema }>(header as Reference)
      if (value !== null)
        found.push(...this.complaints(schema, schema.type === 'integer' ? Number(value) : value).map((text) => `${name}:${text}`))
    }
    if (content === undefined) return body === '' ? found : [...found, `${status} is declared without a body`]
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    const media = content[type]
    if (media === undefined) return [...found, `the type "${type}" is not declared for ${status}`]
    return [...found, ...this.complaints(media.schema, type === 'application/json' ? JSON.parse(body) : body)]
  }
}
