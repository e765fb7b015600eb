import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { ServiceError } from '../contract/errors.js'
import type { Operation } from '../contract/operation.js'
import type { Operations } from '../operations/read-executor.js'
import { ModelUnavailableError, StoreUnavailableError } from '../ports/document-store.js'
import { answer, type McpTool, READ_ONLY, refusal, unknownArguments } from './tool.js'
import { toolSchemas } from './tool-schemas.js'
import { viewMeta, viewOf } from './views.js'

/** One tool per public read. */
export function operationTools(list: readonly Operation[], operations: Operations): McpTool[] {
  return list.map((operation) => ({
    definition: describe(operation),
    call: (input) => run(operation, input, operations),
  }))
}

function describe(operation: Operation): Tool {
  const { name, summary } = operation
  const view = viewOf(name)
  return {
    name,
    title: summary,
    description: descriptionOf(operation),
    ...toolSchemas(operation.input, operation.output),
    annotations: { title: summary, ...READ_ONLY },
    ...(view === null ? {} : { _meta: viewMeta(view) }),
  }
}

function descriptionOf({ description, notFound, deprecated }: Operation): string {
  // The envelope of the REST answers, whose payload is `data`, is left out here.
  const parts = [description.replaceAll('`data.', '`')]
  if (notFound !== undefined) parts.push(`Answers with an error when ${lowerFirst(notFound)}.`)
  if (deprecated !== undefined) {
    parts.push(`Deprecated since ${day(deprecated.since)}, gone after ${day(deprecated.sunset)}: see ${deprecated.link}`)
  }
  return parts.join(' ')
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
const day = (date: Date): string => date.toISOString().slice(0, 10)

async function run(operation: Operation, input: Record<string, unknown>, operations: Operations): Promise<CallToolResult> {
  const unknown = unknownArguments(input, Object.keys(operation.input.shape))
  if (unknown !== null) return refusal(unknown, again(operation))
  try {
    const { data } = await operations.execute(operation, input)
    // The output schemas of the registry are all objects.
    return answer(data as Record<string, unknown>)
  } catch (error) {
    if (error instanceof ModelUnavailableError) return refusal(`Not ready yet: ${error.message}`, 'Try again in a few seconds.')
    if (error instanceof StoreUnavailableError)
      return refusal('The read models cannot be reached at the moment.', 'Try again in a few seconds.')
    if (!(error instanceof ServiceError)) throw error
    return refusal(error.message, recovery(operation, error))
  }
}

const again = ({ name }: Operation): string => `Correct the arguments and call ${name} again; tools/list shows what it takes.`

function recovery(operation: Operation, { error, options }: ServiceError): string {
  if (error === 'validation_failed') return again(operation)
  if (error === 'not_found') {
    return 'Do not try the same address again: find creators and apps with get_community_feed (q searches titles and descriptions), and pass their handle and slug unchanged.'
  }
  return `Try again in ${options.retryAfterS ?? 5} seconds.`
}
