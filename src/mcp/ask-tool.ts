import { z } from 'zod'
import type { Ask } from '../ask/ask.js'
import { toQuestion } from '../ask/request.js'
import { AskResponse } from '../ask/response.js'
import { ASK_TOOL, AskInput } from '../ask/tool.js'
import { ServiceError } from '../contract/errors.js'
import { answer, type McpTool, READ_ONLY, refusal, unknownArguments } from './tool.js'
import { toolSchemas } from './tool-schemas.js'

const AGAIN = 'Call ask again with a question in `query`.'

/** Questions in words, answered from the product facts and the live models. */
export function askTool(ask: Ask): McpTool {
  return {
    definition: {
      ...ASK_TOOL,
      ...toolSchemas(AskInput, AskResponse),
      annotations: { title: ASK_TOOL.title, ...READ_ONLY },
    },
    waits: ask.isPhrased,
    async call(input) {
      const unknown = unknownArguments(input, Object.keys(AskInput.shape))
      if (unknown !== null) return refusal(unknown, AGAIN)
      const parsed = AskInput.safeParse(input)
      if (!parsed.success) return refusal(z.prettifyError(parsed.error), AGAIN)
      const { query, mode, locale, prev } = parsed.data
      try {
        const question = toQuestion({ query, prefer: { mode, 'accept-language': locale }, context: { prev } })
        return answer(await ask.ask(question))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return refusal(error.message, AGAIN)
      }
    },
  }
}
