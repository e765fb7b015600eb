import type { Question } from '../../../src/ask/request.js'
import { toQuestion } from '../../../src/ask/request.js'
import type { AskResponse } from '../../../src/ask/response.js'

export const questionOf = (text: string): Question => toQuestion({ query: text })

/** An answer that says which question it belongs to. */
export const answerTo = ({ text }: Question): AskResponse => ({
  query_id: 'q_1',
  answer: `about ${text}`,
  citations: [],
  results: [],
  _meta: { response_type: 'answer', version: '0', mode: 'generate', locale: 'en', position: null },
})
