import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Ask } from '../ask/ask.js'
import { ASK_TOOL, AskToolInput, toQuestion } from '../ask/request.js'
import { AskResponse } from '../ask/response.js'
import { ServiceError } from '../contract/errors.js'
import { isOwn, type Operation } from '../contract/operation.js'
import { unknownArguments } from '../contract/unknown-arguments.js'
import type { ReadExecutor } from '../operations/read-executor.js'
import { ModelUnavailableError, StoreUnavailableError } from '../ports/document-store.js'
import { checkedTool, type McpTool, toolDefinition, toolError, toolResult } from './tool.js'
import { viewMeta, viewOf } from './views.js'

/** One tool per public read. */
export function readTools(reads: readonly Operation[], operations: ReadExecutor): McpTool[] {
  return reads.map((operation) => {
    const { name, summary: title, input, output } = operation
    const view = viewOf(name)
    const definition = toolDefinition({ name, title, description: descriptionOf(operation), input, output })
    return {
      definition: { ...definition, ...(view === null ? {} : { _meta: viewMeta(view) }) },
      call: (given, caller) => run(operation, given, { operations, caller }),
    }
  })
}

function descriptionOf({ description, notFound, deprecated }: Operation): string {
  // Tools answer without the envelope of REST, so there is no `data`.
  const parts = [description.replaceAll('`data.', '`')]
  if (notFound !== undefined) parts.push(`Answers with an error when ${lowerFirst(notFound)}.`)
  if (deprecated !== undefined) {
    parts.push(`Deprecated since ${day(deprecated.since)}, gone after ${day(deprecated.sunset)}: see ${deprecated.link}`)
  }
  return parts.join(' ')
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
const day = (date: Date): string => date.toISOString().slice(0, 10)

async function run(
  operation: Operation,
  input: Record<string, unknown>,
  { operations, caller }: { operations: ReadExecutor; caller: string },
): Promise<CallToolResult> {
  const unknown = unknownArguments(input, operation.input, 'tool')
  if (unknown !== null) return toolError(unknown, retryHint(operation))
  try {
    const { data } = await operations.execute(operation, input, { caller })
    // The output of every public read is an object.
    return toolResult(data as Record<string, unknown>)
  } catch (error) {
    if (error instanceof ModelUnavailableError) return toolError(`Not ready yet: ${error.message}`, 'Try again in a few seconds.')
    if (error instanceof StoreUnavailableError)
      return toolError('The read models cannot be reached at the moment.', 'Try again in a few seconds.')
    if (!(error instanceof ServiceError)) throw error
    return toolError(error.message, recoveryHint(operation, error))
  }
}

const retryHint = ({ name }: Operation): string => `Correct the arguments and call ${name} again; tools/list shows what it takes.`

function recoveryHint(operation: Operation, { error, options }: ServiceError): string {
  if (error === 'validation_failed') return retryHint(operation)
  if (error === 'not_found') {
    if (isOwn(operation)) return 'Do not try the same arguments again.'
    return 'Do not try the same address again: find creators and apps with get_community_feed (q searches titles and descriptions), and pass their handle and slug unchanged.'
  }
  return `Try again in ${options.retryAfterS ?? 5} seconds.`
}

const AGAIN = 'Call ask again with a question in `query`.'

/** The tool `ask`: answers questions from product facts and live models. */
export const askTool = (ask: Ask): McpTool => ({
  ...checkedTool({
    ...ASK_TOOL,
    input: AskToolInput,
    output: AskResponse,
    retryHint: AGAIN,
    async call({ query, mode, locale, prev }, caller) {
      try {
        const question = toQuestion({ query, prefer: { mode, 'accept-language': locale }, context: { prev } })
        return toolResult(await ask.ask(question, { caller }))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return toolError(error.message, AGAIN)
      }
    },
  }),
  callsLanguageModel: ask.usesLanguageModel,
})
