import { z } from 'zod'
import type { Ask } from '../ask/ask.js'
import { toQuestion } from '../ask/request.js'
import { AskResponse } from '../ask/response.js'
import { ASK_TOOL, AskToolInput } from '../ask/tool.js'
import { ServiceError } from '../contract/errors.js'
import { toolResult, type McpTool, READ_ONLY, toolError, unknownArguments } from './tool.js'
import { toolSchemas } from './tool-schemas.js'

const AGAIN = 'Call ask again with a question in `query`.'

/** Questions in words, answered from the product facts and the live models. */
export function askTool(ask: Ask): McpTool {
  return {
    definition: {
      ...ASK_TOOL,
      ...toolSchemas(AskToolInput, AskResponse),
      annotations: { title: ASK_TOOL.title, ...READ_ONLY },
    },
    callsLanguageModel: ask.usesLanguageModel,
    async call(input) {
      const unknown = unknownArguments(input, Object.keys(AskToolInput.shape))
      if (unknown !== null) return toolError(unknown, AGAIN)
      const parsed = AskToolInput.safeParse(input)
      if (!parsed.success) return toolError(z.prettifyError(parsed.error), AGAIN)
      const { query, mode, locale, prev } = parsed.data
      try {
        const question = toQuestion({ query, prefer: { mode, 'accept-language': locale }, context: { prev } })
        return toolResult(await ask.ask(question))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return toolError(error.message, AGAIN)
      }
    },
  }
}
