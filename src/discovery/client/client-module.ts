/** The TypeScript module that tells the client of `src/client` which reads an installation has. */

import { z } from 'zod'
import { documented, fieldsIn, inBraces, key, literal, TypePrinter, UnfitDocumentError } from './type-printer.js'

/** Of the operations for agents, what the client takes and returns. */
const CLIENT_SCHEMAS = [
  ...['AskRequest', 'AskResponse', 'AskStartEvent', 'AskResultEvent', 'AskCompleteEvent', 'AskFailureEvent'],
  ...['AsyncAskJob', 'AsyncAskJobStatus', 'Error', 'ServiceStatus'],
]

const Schema = z.record(z.string(), z.unknown())

/** The shared parameters, which stand there as references, are headers: options of a call, not arguments. */
const Parameter = z.object({
  in: z.string().default('header'),
  name: z.string().default(''),
  required: z.boolean().default(false),
  description: z.string().default(''),
  schema: Schema.default({}),
})

const Response = z.object({ content: z.object({ 'application/json': z.object({ schema: Schema.optional() }).optional() }).optional() })

const Operation = z.object({
  operationId: z.string().default(''),
  description: z.string().default(''),
  deprecated: z.boolean().default(false),
  parameters: z.array(Parameter).default([]),
  responses: z.object({ 200: Response.optional() }).default({}),
  /** Its name in batches. */
  'x-service-operation': z.string().optional(),
})
type Operation = z.output<typeof Operation>

/** What is used of an OpenAPI document. */
const ApiDescription = z.object({
  paths: z.record(z.string(), z.object({ get: Operation.optional() })),
  components: z.object({ schemas: z.record(z.string(), Schema).default({}) }),
})

/** For the reads that an OpenAPI document describes, ours or that of another installation. */
export function printClientModule(openapi: unknown): string {
  const { types, table } = printParts(openapi)
  const head = `// Printed by "vitrine client" from the OpenAPI document. Do not edit.\n\nimport type { OperationTable } from 'vitrine/client'`
  return `${[head, types, table].join('\n\n')}\n`
}

/** The types alone, with which the client is packed, and the table of where each read is. */
export function printParts(openapi: unknown): { types: string; table: string } {
  const { success, data, error } = ApiDescription.safeParse(openapi)
  if (!success) throw new UnfitDocumentError(z.prettifyError(error).split('\n', 2).join(' '))
  const reads = Object.entries(data.paths).flatMap(([path, { get }]) => (get?.['x-service-operation'] === undefined ? [] : [{ path, get }]))
  if (reads.length === 0) throw new UnfitDocumentError('it describes no public read (none has x-service-operation)')
  const printer = new TypePrinter(data.components.schemas)
  const operations = `export interface Operations ${inBraces(reads.map(({ get }) => operationType(printer, get)))}`
  const described = documented(operations, 'The arguments and the result of every public read.')
  const rows = reads.map(
    ({ path, get }) => `  ${key(get.operationId)}: { name: ${literal(get['x-service-operation'])}, path: ${literal(path)} },\n`,
  )
  const table = `export const operations: OperationTable<Operations> = {\n${rows.join('')}}`
  return {
    types: [...printer.declarations(CLIENT_SCHEMAS), described].join('\n\n'),
    table: documented(table, 'Where each of them is. For `createClient`.'),
  }
}

function operationType(printer: TypePrinter, { operationId, description, deprecated, parameters, responses }: Operation): string {
  const fields = parameters.filter((parameter) => parameter.in !== 'header').map((parameter) => printer.field(parameter))
  const schema = responses[200]?.content?.['application/json']?.schema ?? {}
  const result = fieldsIn(printer.resolved(schema)).find(({ name }) => name === 'data')
  if (result === undefined) throw new UnfitDocumentError(`${operationId} does not answer with the success envelope`)
  const lines = [
    `arguments: ${fields.length === 0 ? '{ [key: string]: never }' : inBraces(fields)}`,
    `result: ${printer.type(result.schema)}`,
  ]
  return documented(`${key(operationId)}: ${inBraces(lines)}`, description, deprecated ? '@deprecated' : '')
}
