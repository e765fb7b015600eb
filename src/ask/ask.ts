import { createHash } from 'node:crypto'
import { bestLocale, DEFAULT_LOCALE } from '../operations/locale.js'
import type { Question } from './request.js'
import { type AskResponse, NLWEB_VERSION } from './response.js'

const LOCALES = ['en', 'es', 'de', 'ja'] as const

const INVITATION = 'Ask about the product, its plans and its API, or about what people have made: "what is trending in games?"'

/** Answers questions from the product facts and the read models, and from nothing else. */
export class Ask {
  /** The same models and the same question give the same answer. */
  async ask(question: Question): Promise<AskResponse> {
    const wanted = question.locale ?? question.fallbackLocales[0] ?? DEFAULT_LOCALE
    return {
      query_id: question.queryId ?? idOf(question),
      answer: INVITATION,
      citations: [],
      results: [],
      _meta: {
        response_type: question.text === '' ? 'elicitation' : 'failure',
        version: NLWEB_VERSION,
        mode: question.mode,
        locale: bestLocale(LOCALES, wanted) ?? DEFAULT_LOCALE,
        position: null,
      },
    }
  }
}

function idOf({ text, previous, mode, locale }: Question): string {
  const digest = createHash('sha256').update(JSON.stringify([text, previous, mode, locale]))
  return `q_${digest.digest('hex').slice(0, 16)}`
}
