import { createHash } from 'node:crypto'
import { isOutOfScope } from '../../content/ask/patterns/out-of-scope.js'
import { DEFAULT_LOCALE } from '../contract/locale.js'
import type { ReadExecutor } from '../operations/read-executor.js'
import { ModelUnavailableError } from '../ports/document-store.js'
import type { TextPage } from './answer/citations.js'
import { DocumentationAnswers } from './answer/documentation-answer.js'
import type { Rephrase } from './answer/rephrase.js'
import { loadTextPage, type TextPageRequest } from './answer/text-pages.js'
import { chooseSource } from './choose-source.js'
import { isSupportedLocale, LANGUAGES, type Language, nearestLanguage } from './languages.js'
import { LiveQuestions, needsLiveModels } from './live-questions.js'
import { detectLanguage, stripNames } from './parse/detect-language.js'
import { refusalReason } from './parse/guard.js'
import type { Slots } from './parse/slots.js'
import type { Mode, Question } from './request.js'
import { type AskResponse, type Draft, NLWEB_VERSION, type NotFoundReason } from './response.js'
import { Documentation } from './retrieve/documentation.js'
import type { Installation } from './retrieve/facts.js'
import { PassageSearch } from './retrieve/find-passages.js'
import type { Hit } from './retrieve/passage-index.js'

export interface AskDependencies {
  operations: ReadExecutor
  installation: Installation
  /** A language model that rephrases answers; without it they are sent as they are. */
  rephrase?: Rephrase | undefined
  /** Called with the response type of every answer. */
  onAnswered?: (outcome: string) => void
}

export interface AskOptions {
  signal?: AbortSignal
  /** Collects the creators and creations whose words were read for the answer. */
  subjects?: Set<string>
  /** Called when the models are no longer needed and only the rephrasing is left. */
  onDrafted?: () => void
}

/**
 * Answers questions from the documentation and the read models, and from nothing else. The steps, in order:
 *
 * 1. request.ts: the request becomes a question, validated and cleaned.
 * 2. parse/detect-language.ts: the language of the question.
 * 3. parse/guard.ts: refuses injections, secrets, private data and changes.
 * 4. live-questions.ts: parse/parse-question.ts finds names, intent and slots; retrieve/ resolves them in the models.
 * 5. retrieve/find-passages.ts: passages of the documentation that fit.
 * 6. choose-source.ts: documentation, read models, or no answer.
 * 7. answer/documentation-answer.ts or answer/live-answer.ts: the answer and its citations.
 * 8. answer/rephrase.ts: a language model may rephrase it; answer/grounding.ts checks the result.
 *
 * jobs/ runs the same steps in the background.
 */
export class Ask {
  readonly documentation: Documentation
  readonly #passages: PassageSearch
  readonly #documentationAnswers: DocumentationAnswers
  readonly #live: LiveQuestions
  readonly #rephrase: Rephrase | undefined
  readonly #onAnswered: (outcome: string) => void

  constructor({ operations, installation, rephrase, onAnswered = () => {} }: AskDependencies) {
    this.#rephrase = rephrase
    this.#onAnswered = onAnswered
    this.documentation = new Documentation(installation)
    this.#passages = new PassageSearch(this.documentation)
    this.#documentationAnswers = new DocumentationAnswers(this.documentation)
    this.#live = new LiveQuestions(operations, installation.webUrl)
  }

  /** Whether a language model rephrases answers, which can take long. */
  get usesLanguageModel(): boolean {
    return this.#rephrase !== undefined
  }

  /** Fills the caches, so that the first question does not wait. Fails while there are no models. */
  async warmUp(signal: AbortSignal): Promise<void> {
    for (const language of LANGUAGES) {
      if (signal.aborted) return
      this.#passages.warmUp(language)
      await this.#live.warmUp(language)
    }
  }

  /** Drops the names, titles and words in memory: one of them may be of a creator who was removed. */
  forgetNames(): void {
    this.#live.forgetNames()
    this.#passages.forgetWords()
  }

  /** The same models and the same question give the same answer, unless a language model phrases it. */
  async ask(question: Question, { signal, subjects, onDrafted }: AskOptions = {}): Promise<AskResponse> {
    signal?.throwIfAborted()
    const language = this.#languageFor(question)
    const draft = await this.#draft(question, language, subjects)
    onDrafted?.()
    const { type, citations, results, position } = draft
    const answer = (await this.#rephrased(question, draft, language, signal)) ?? draft.answer
    this.#onAnswered(type)
    return {
      query_id: question.queryId ?? queryIdOf(question),
      answer,
      citations,
      results,
      _meta: { response_type: type, version: NLWEB_VERSION, mode: question.mode, locale: language, position },
    }
  }

  async #rephrased({ text, mode }: Question, { type, verbatim, answer, citations }: Draft, language: Language, signal?: AbortSignal) {
    if (this.#rephrase === undefined || type !== 'answer' || verbatim || mode === 'list') return null
    return this.#rephrase({ question: text, answer, citations, language }, signal)
  }

  /** A page that live answers cite. */
  async textPage(
    wanted: TextPageRequest,
    locale: string,
  ): Promise<{ language: Language; readout: TextPage | null; position: number | null }> {
    const language = nearestLanguage(locale)
    const context = await this.#live.context(language, 'generate')
    const readout = await loadTextPage(wanted, context)
    return { language, readout, position: context.models.position }
  }

  async #draft({ text, previous, mode }: Question, language: Language, subjects?: Set<string>): Promise<Draft> {
    if (text === '') return this.#documentationAnswers.elicitation(language)
    const refusal = refusalReason(text)
    if (refusal !== null) return this.#documentationAnswers.refusal(refusal, language)
    const parsed = await this.#live.parse(text, previous, language, mode, subjects).catch((error: unknown) => {
      if (error instanceof ModelUnavailableError) return null
      throw error
    })
    if (parsed === null) return this.#answerWithoutModels(text, language, mode)
    const hits = this.#passages.find(text, parsed.dependsOnPrevious ? previous.slice(-1) : [], language)
    const source = chooseSource(parsed, hits, isOutOfScope(language, text))
    if (source === 'unknown') return this.#documentationAnswers.unknown(language)
    const answer = source === 'live' ? await this.#live.answer(parsed) : null
    if (answer !== null && typeof answer !== 'string') return answer
    if (answer !== null && isNotFoundFinal(answer, parsed.slots, hits)) return this.#documentationAnswers.unknown(language, answer)
    if (hits.length > 0) return this.#documentationAnswers.answer(hits, text, language, mode)
    if (answer !== null) return this.#documentationAnswers.unknown(language, answer)
    return (await this.#live.searchByWords(text, parsed)) ?? this.#documentationAnswers.unknown(language)
  }

  /** While the models are loading, only the documentation answers. */
  #answerWithoutModels(text: string, language: Language, mode: Mode): Draft {
    const hits = this.#passages.find(text, [], language)
    if (hits.length === 0 || needsLiveModels(text, language)) throw new ModelUnavailableError('feed')
    return this.#documentationAnswers.answer(hits, text, language, mode)
  }

  /** The language of the question; if that is unclear, the chosen one; else the one the caller's program prefers. */
  #languageFor({ locale, text, previous, fallbackLocales }: Question): Language {
    const chosen = locale !== null && isSupportedLocale(locale) ? nearestLanguage(locale) : null
    const detected = detectLanguage([text, previous.join(' ')].map(stripNames), chosen, this.#passages)
    return detected ?? nearestLanguage(fallbackLocales.find(isSupportedLocale) ?? locale ?? DEFAULT_LOCALE)
  }
}

/** Whether the documentation should not be tried after the models found nothing. */
function isNotFoundFinal(reason: NotFoundReason, { handle, slug }: Slots, hits: readonly Hit[]): boolean {
  // What looks like an address may be a path of the API, or a unit: "requests/min".
  if (slug !== null && hits.length > 0) return false
  return reason !== 'nothingFound' || (handle !== null && slug === null)
}

function queryIdOf({ text, previous, mode, locale }: Question): string {
  const digest = createHash('sha256').update(JSON.stringify([text, previous, mode, locale]))
  return `q_${digest.digest('hex').slice(0, 16)}`
}
