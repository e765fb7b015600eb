import { z } from 'zod'
import type { Ask } from '../ask/ask.js'
import { MODES, toQuestion } from '../ask/request.js'
import { AskResponse } from '../ask/response.js'
import { ServiceError } from '../operations/errors.js'
import { answer, type McpTool, READ_ONLY, refusal, unknownArguments } from './tool.js'
import { toolSchemas } from './tool-schemas.js'

/** The plain part of an ask request: models fill in flat arguments best. */
const AskInput = z.object({
  query: z
    .string()
    .min(1)
    .meta({ description: 'The question, as people ask it.', examples: ['What is trending in games?'] }),
  mode: z
    .enum(MODES)
    .optional()
    .meta({ description: 'How to answer: `list` the results, `summarize` them, or `generate` a sentence or two.' }),
  locale: z.string().optional().meta({ description: 'Language of the answer, a BCP-47 tag. Left out: the language of the question.' }),
  prev: z.array(z.string()).optional().meta({ description: 'Earlier questions of the same conversation, the oldest first.' }),
})

const AGAIN = 'Call ask again with a question in `query`.'

/** Questions in words, answered from the product facts and the live models. */
export function askTool(ask: Ask): McpTool {
  return {
    definition: {
      name: 'ask',
      title: 'Ask',
      description:
        'Answers a question in words about the product (plans, credits, sign-in, limits, this API) or about what people have made and who made it. The answer is grounded: its citations contain every name and number in it, and when nothing supports an answer it says so.',
      ...toolSchemas(AskInput, AskResponse),
      annotations: { title: 'Ask', ...READ_ONLY },
    },
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
