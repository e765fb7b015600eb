import { z } from 'zod'
import { MODES } from './request.js'

/** Ask as a tool of agents, on the MCP server and in the browser. */
export const ASK_TOOL = {
  name: 'ask',
  title: 'Ask',
  description:
    'Answers a question in words about the product (plans, credits, sign-in, limits, this API) or about what people have made and who made it. The answer is grounded: its citations contain every name and number in it, and when nothing supports an answer it says so.',
}

/** The plain part of an ask request: models fill in flat arguments best. */
export const AskToolInput = z.object({
  query: z
    .string()
    .min(1)
    .meta({ description: 'The question, as people ask it.', examples: ['What is trending in games?'] }),
  mode: z
    .enum(MODES)
    .optional()
    .meta({ description: 'How to answer: `list` the results, `summarize` them, or `generate` a sentence or two.' }),
  locale: z.string().optional().meta({ description: 'Language of the answer where the question does not tell, a BCP-47 tag.' }),
  prev: z.array(z.string()).optional().meta({ description: 'Earlier questions of the same conversation, the oldest first.' }),
})
