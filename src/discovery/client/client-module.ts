/** The TypeScript module that tells the client of `src/client` which reads an installation has. */

import { z } from 'zod'
import type { JsonSchema } from '../openapi/types.js'
import {
  ApiDescription,
  type OperationDescription,
  type ParameterDescription,
  type Reference,
  type ResponseDescription,
  UnfitDocumentError,
} from './api-description.js'
import { reachableSchemas, typeNamesOf } from './type-names.js'
import { comment, key, literal, type Property, propertiesOf, referenced, TypePrinter } from './type-printer.js'

/** Operations of the web host that the client has a method for. */
const AGENT_OPERATIONS = ['askServiceProductContext', 'createAskJob', 'getAskJobStatus', 'getStatus']

interface Read {
  operationId: string
  /** In batches. */
  name: string
  path: string
  operation: OperationDescription
}

/** From an OpenAPI document, ours or that of another installation. `clientModule`: where the printed module finds the client. */
export function printClientModule(openapi: unknown, clientModule: string): string {
  const document = parsed(openapi)
  const reads = readsOf(document)
  if (reads.length === 0) throw new UnfitDocumentError('it describes no public read (none has x-service-operation)')
  const schemas = reachableSchemas(document, [...reads.map(({ operation }) => operation), ...agentOperations(document)])
  const names = typeNamesOf(schemas.keys())
  const printer = new TypePrinter(names)
  const sections = [
    [`import type { OperationTable } from ${literal(clientModule)}`],
    ...[...schemas].map(([id, schema]) => namedType(printer, names.get(id) ?? id, schema)),
    ['/** The arguments and the result of every public read. */', 'export interface Operations {'].concat(
      reads.flatMap((read) => operationType(printer, read, document)),
      '}',
    ),
    ['/** Where each of them is. For `createClient`. */', 'export const operations: OperationTable<Operations> = {'].concat(
      reads.map(({ operationId, name, path }) => `  ${key(operationId)}: { name: ${literal(name)}, path: ${literal(path)} },`),
      '}',
    ),
  ]
  return `${HEADER}\n\n${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

const HEADER = '// Printed by "vitrine client" from the OpenAPI document. Do not edit.'

function parsed(openapi: unknown): ApiDescription {
  const result = ApiDescription.safeParse(openapi)
  if (!result.success) throw new UnfitDocumentError(z.prettifyError(result.error).split('\n', 2).join(' '))
  return result.data
}

function readsOf(document: ApiDescription): Read[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const name = get?.['x-service-operation']
    return get === undefined || name === undefined ? [] : [{ operationId: get.operationId, name, path, operation: get }]
  })
}

const agentOperations = ({ paths }: ApiDescription): OperationDescription[] =>
  Object.values(paths)
    .flatMap(({ get, post }) => [get, post])
    .filter((operation) => operation !== undefined)
    .filter(({ operationId }) => AGENT_OPERATIONS.includes(operationId))

function namedType(printer: TypePrinter, name: string, schema: JsonSchema): string[] {
  const type = printer.type(schema)
  const description = comment([typeof schema.description === 'string' ? schema.description : ''], '')
  return [...description, type.startsWith('{\n') ? `export interface ${name} ${type}` : `export type ${name} = ${type}`]
}

function operationType(printer: TypePrinter, { operationId, operation }: Read, document: ApiDescription): string[] {
  const fields = printer.properties(argumentsOf(operation, document), '      ', true)
  const { description, deprecated } = operation
  return [
    ...comment([description, deprecated === true ? '@deprecated' : ''], '  '),
    `  ${key(operationId)}: {`,
    ...(fields.length === 0 ? ['    arguments: { [key: string]: never }'] : ['    arguments: {', ...fields, '    }']),
    `    result: ${printer.type(resultOf(operation, document), '    ')}`,
    '  }',
  ]
}

/** Headers are options of a call, not arguments. */
function argumentsOf({ parameters = [] }: OperationDescription, { components }: ApiDescription): Property[] {
  return parameters
    .map((parameter) => resolved(parameter, components.parameters))
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, schema, required = false, description }) => ({ name, schema, required, description }))
}

/** What is in the success envelope. */
function resultOf({ operationId, responses }: OperationDescription, { components }: ApiDescription): JsonSchema {
  const response = resolved<ResponseDescription>(responses['200'] ?? {}, components.responses)
  const schema = response.content?.['application/json']?.schema ?? {}
  const envelope = components.schemas[referenced(schema) ?? ''] ?? schema
  const data = propertiesOf(envelope).find(({ name }) => name === 'data')
  if (data === undefined) throw new UnfitDocumentError(`${operationId} does not answer with the success envelope`)
  return data.schema
}

function resolved<T extends ParameterDescription | ResponseDescription>(value: T | Reference, named: Record<string, T>): T {
  if (!isReference(value)) return value
  const found = named[value.$ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new UnfitDocumentError(`cannot follow the reference ${value.$ref}`)
  return found
}

const isReference = (value: object): value is Reference => '$ref' in value
