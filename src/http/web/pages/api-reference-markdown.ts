import type { Endpoint, JsonSchema, OpenApiDocument, OperationObject } from '../../../discovery/openapi/types.js'
import { callOf, curlFor, type Examples, entriesOf, json, resolved, typeParts } from './api-reference-parts.js'

/** The API reference for agents: the same as the page, with the schemas left to the OpenAPI document. */
export function referenceMarkdown(document: OpenApiDocument, examples: Examples, openApiUrl: string): string {
  const { info, tags } = document
  const entries = entriesOf(document)
  const groups = tags.map(({ name, description }) => {
    const own = entries.filter(({ operation }) => operation.tags.includes(name))
    return [`## ${name}`, description, ...own.map((entry) => endpoint(document, entry, examples))].join('\n\n')
  })
  const schemas = `The schemas named here are in the OpenAPI document: <${openApiUrl}>`
  return `${[`# ${info.title} ${info.version}`, info.description, schemas, ...groups].join('\n\n')}\n`
}

function endpoint(document: OpenApiDocument, { method, path, operation }: Endpoint, examples: Examples): string {
  const { parameters, body, server, example } = callOf(document, operation)
  const { operationId, summary, description, deprecated } = operation
  return [
    `### ${summary}`,
    `\`${method.toUpperCase()} ${path}\` (${operationId}${deprecated === true ? ', deprecated' : ''})`,
    description,
    parameters.length > 0 &&
      table(
        ['parameter', 'in', 'type', 'meaning'],
        parameters.map(({ name, in: place, required, schema, description: meaning }) => [
          `\`${name}\`${required === true ? ' (required)' : ''}`,
          place,
          typeText(schema),
          meaning ?? '',
        ]),
      ),
    body !== null && `Body: ${Object.entries(body.content).map(([type, { schema }]) => `\`${type}\` ${typeText(schema)}`)}`,
    fenced('sh', curlFor({ method, server, path, parameters, body, examples })),
    example !== null && fenced('json', json(example)),
    table(['status', 'type', 'meaning'], answers(document, operation)),
  ]
    .filter((part) => part !== false)
    .join('\n\n')
}

const answers = (document: OpenApiDocument, { responses }: OperationObject): string[][] =>
  Object.entries(responses).map(([status, response]) => {
    const found = resolved(response, document.components.responses)
    const [type, media] = Object.entries(found?.content ?? {})[0] ?? []
    const shape = media === undefined ? '' : `${typeText(media.schema)}${type === 'application/json' ? '' : ` \`${type}\``}`
    return [status, shape, response.description ?? found?.description ?? '']
  })

const typeText = (schema: JsonSchema): string =>
  typeParts(schema)
    .map((part) => (typeof part === 'string' ? part : `\`${'code' in part ? part.code : part.schema}\``))
    .join('')

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

/** A cell is one line, and a bar in it would end it. */
const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`

const table = (headings: readonly string[], rows: readonly string[][]): string =>
  [row(headings), row(headings.map(() => '---')), ...rows.map(row)].join('\n')
