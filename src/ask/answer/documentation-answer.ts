import { type Language, type Languages, sentenceSeparator } from '../languages.js'
import type { RefusalReason } from '../parse/guard.js'
import type { Mode } from '../request.js'
import type { Draft, NotFoundReason } from '../response.js'
import type { Documentation, Passage } from '../retrieve/documentation.js'
import type { Hit } from '../retrieve/passage-index.js'
import { passageCitation } from './citations.js'
import { passageResult } from './results.js'
import { REPLIES } from './templates.js'

const MAX_LISTED = 3
/** If the second passage fits this well, either may be meant, so both are given. */
const TIE_RATIO = 0.88

const REFUSAL_PASSAGES: Record<RefusalReason, string> = {
  rules: 'ask',
  credentials: 'no-agent-credentials',
  private: 'public-data',
  change: 'only-in-the-app',
}

/** Answers from the documentation: product, plans, signing in, API, limits, agent surfaces. */
export class DocumentationAnswers {
  readonly #documentation: Documentation

  constructor(documentation: Documentation) {
    this.#documentation = documentation
  }

  /** The passages are found in the language of the question and given in that of the answer. */
  answer(hits: readonly Hit[], languages: Languages, mode: Mode): Draft {
    const [best = 0, second = 0] = hits.map(({ score }) => score)
    const chosen = hits.slice(0, mode !== 'generate' ? MAX_LISTED : second >= TIE_RATIO * best ? 2 : 1).map(({ passage }) => passage)
    const given = chosen.map(({ id }) => this.#documentation.passage(id, languages.answer))
    const answer = given.map(({ text }) => (mode === 'generate' ? text : firstSentence(text)))
    return this.#draft('answer', answer.slice(0, mode === 'list' ? 1 : 2).join(sentenceSeparator(languages.answer)), given)
  }

  /** Nothing was asked: says what can be. */
  elicitation(language: Language): Draft {
    const passage = this.#documentation.passage('what-to-ask', language)
    return this.#draft('elicitation', passage.text, [passage])
  }

  unknown(language: Language, reason: NotFoundReason | 'unknown' = 'unknown'): Draft {
    const passage = this.#documentation.passage('what-to-ask', language)
    return { ...this.#draft('failure', REPLIES[language][reason] + sentenceSeparator(language) + passage.text, [passage]), results: [] }
  }

  refusal(attempt: RefusalReason, language: Language): Draft {
    const passage = this.#documentation.passage(REFUSAL_PASSAGES[attempt], language)
    const reason = attempt === 'rules' ? this.#documentation.passage('what-to-ask', language) : passage
    return {
      ...this.#draft('answer', REPLIES[language].refusal[attempt] + sentenceSeparator(language) + firstSentence(reason.text), [reason]),
      verbatim: true,
    }
  }

  #draft(type: Draft['type'], answer: string, passages: readonly Passage[]): Draft {
    return { type, answer, citations: passages.map(passageCitation), results: passages.map(passageResult), position: null }
  }
}

/** Ends of sentences; there is none inside "prefer.streaming" or "2026-05-26". */
const SENTENCE_END = /(?<=[.!?])\s+(?=\p{Lu}|¿|¡|«|“|\/|`)|(?<=[。！？])/u

export const sentences = (text: string): string[] => text.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '')

export const firstSentence = (text: string): string => sentences(text)[0]?.trim() ?? ''
