/** The TypeScript module that tells the client of `src/client` which reads an installation has. */

import type { JsonSchema, OpenApiDocument, OperationObject, Parameter, Reference, Response } from '../openapi/types.js'
import { reachableSchemas, typeNamesOf } from './type-names.js'
import { comment, key, literal, type Property, propertiesOf, referenced, TypePrinter } from './type-printer.js'

/** Operations of the web host that the client has a method for. */
const AGENT_OPERATIONS = ['askServiceProductContext', 'createAskJob', 'getAskJobStatus', 'getStatus']

interface Read {
  operationId: string
  /** In batches. */
  name: string
  path: string
  operation: OperationObject
}

/** `clientModule`: where the printed module finds the client. */
export function printClientModule(document: OpenApiDocument, clientModule: string): string {
  const reads = readsOf(document)
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

function readsOf(document: OpenApiDocument): Read[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const name = get?.['x-service-operation']
    return get === undefined || name === undefined ? [] : [{ operationId: get.operationId, name, path, operation: get }]
  })
}

const agentOperations = ({ paths }: OpenApiDocument): OperationObject[] =>
  Object.values(paths)
    .flatMap(({ get, post }) => [get, post])
    .filter((operation) => operation !== undefined)
    .filter(({ operationId }) => AGENT_OPERATIONS.includes(operationId))

function namedType(printer: TypePrinter, name: string, schema: JsonSchema): string[] {
  const type = printer.type(schema)
  const description = comment([typeof schema.description === 'string' ? schema.description : ''], '')
  return [...description, type.startsWith('{\n') ? `export interface ${name} ${type}` : `export type ${name} = ${type}`]
}

function operationType(printer: TypePrinter, { operationId, operation }: Read, document: OpenApiDocument): string[] {
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
function argumentsOf({ parameters = [] }: OperationObject, { components }: OpenApiDocument): Property[] {
  return parameters
    .map((parameter) => resolved(parameter, components.parameters))
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, schema, required = false, description }) => ({ name, schema, required, description }))
}

/** What is in the success envelope. */
function resultOf({ operationId, responses }: OperationObject, { components }: OpenApiDocument): JsonSchema {
  const response = resolved<Response>(responses['200'] ?? { description: '' }, components.responses)
  const schema = response.content?.['application/json']?.schema ?? {}
  const envelope = components.schemas[referenced(schema) ?? ''] ?? schema
  const data = propertiesOf(envelope).find(({ name }) => name === 'data')
  if (data === undefined) throw new Error(`${operationId} does not answer with the success envelope`)
  return data.schema
}

function resolved<T extends Parameter | Response>(value: T | Reference, named: Record<string, T>): T {
  if (!('$ref' in value)) return value
  const found = named[value.$ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new Error(`cannot follow the reference ${value.$ref}`)
  return found
}
