import { createHash } from 'node:crypto'
import { isOutOfScope } from '../../content/ask/patterns/out-of-scope.js'
import { DEFAULT_LOCALE } from '../contract/locale.js'
import type { ReadExecutor } from '../operations/read-executor.js'
import { ModelUnavailableError } from '../ports/document-store.js'
import type { TextPage } from './answer/citations.js'
import { DocumentationAnswers } from './answer/documentation-answer.js'
import { loadTextPage, type TextPageRequest } from './answer/load-text-page.js'
import type { Rephrase } from './answer/rephrase.js'
import { detectLanguage, isSupportedLocale, LANGUAGES, type Language, nearestLanguage } from './languages.js'
import { LiveQuestions, needsLiveModels } from './live-questions.js'
import { refusalReason } from './parse/guard.js'
import { isSortWord } from './parse/patterns.js'
import type { Slots } from './parse/slots.js'
import type { Mode, Question } from './request.js'
import { type AskResponse, type Draft, NLWEB_VERSION } from './response.js'
import type { Documentation } from './retrieve/documentation.js'
import type { Installation } from './retrieve/facts.js'

export interface AskDependencies {
  operations: ReadExecutor
  installation: Installation
  /** Says answers in its own words; without it they are said as they are. */
  rephrase?: Rephrase | undefined
  /** Is told what came of every question. */
  onAnswered?: (outcome: string) => void
}

export interface AskOptions {
  signal?: AbortSignal
  /** Is called when nothing more is wanted of the models: what is left is to find the words. */
  onDrafted?: () => void
}

/** Answers questions from the product facts and the read models, and from nothing else. */
export class Ask {
  readonly #documentation: DocumentationAnswers
  readonly #live: LiveQuestions
  readonly #rephrase: Rephrase | undefined
  readonly #onAnswered: (outcome: string) => void

  constructor({ operations, installation, rephrase, onAnswered = () => {} }: AskDependencies) {
    this.#rephrase = rephrase
    this.#onAnswered = onAnswered
    this.#documentation = new DocumentationAnswers(installation)
    this.#live = new LiveQuestions(operations, installation.webUrl)
  }

  /** Whether a language model is asked for the words, which takes as long as that takes. */
  get usesLanguageModel(): boolean {
    return this.#rephrase !== undefined
  }

  get documentation(): Documentation {
    return this.#documentation.documentation
  }

  /** So that nobody's question is the one that waits. Without models there is nothing to prepare yet. */
  async warmUp(signal: AbortSignal): Promise<void> {
    for (const language of LANGUAGES) {
      if (signal.aborted) return
      this.#documentation.warmUp(language)
      await this.#live.warmUp(language)
    }
  }

  /** The same models and the same question give the same answer, unless a language model phrases it. */
  async ask(question: Question, { signal, onDrafted }: AskOptions = {}): Promise<AskResponse> {
    signal?.throwIfAborted()
    const language = this.#languageFor(question)
    const draft = await this.#draft(question, language)
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
    const telling = await this.#live.context(language, 'generate')
    const readout = await loadTextPage(wanted, telling)
    return { language, readout, position: telling.models.position }
  }

  async #draft({ text, previous, mode }: Question, language: Language): Promise<Draft> {
    if (text === '') return this.#documentation.elicitation(language)
    const attempt = refusalReason(text)
    if (attempt !== null) return this.#documentation.refusal(attempt, language)
    const live = await this.#live.parse(text, previous, language, mode).catch((error: unknown) => {
      if (error instanceof ModelUnavailableError) return null
      throw error
    })
    if (live === null) return this.#answerWithoutModels(text, language, mode)
    const hits = this.#documentation.find(text, live.dependsOnPrevious ? previous.slice(-1) : [], language)
    const fromFacts = () => this.#documentation.answer(hits, text, language, mode)
    const { slots, asksHow, isComparison, isWeakMatch, ranksCreators, asksPrivate } = live
    if ((ranksCreators && !asksHow && slots.handle === null) || (asksPrivate && slots.handle !== null))
      return this.#documentation.unknown(language)
    const [best] = hits
    const wellWritten = best !== undefined && (asksHow || namesOnlyACategory(slots) || (isWeakMatch && best.coverage >= CLEAR_COVERAGE))
    if (wellWritten && slots.handle === null && slots.tag === null) return fromFacts()
    if (slots.handle === null && isOutOfScope(language, text)) return this.#documentation.unknown(language)
    if (isComparison && (slots.handle !== null || slots.sort !== null || slots.intent !== null))
      return this.#documentation.unknown(language)
    const told = await this.#live.answer(live)
    if (told !== null && typeof told !== 'string') return told
    // What looks like an address may be a path of the API, or a unit: "requests/min".
    const mayBePath = slots.slug !== null && hits.length > 0
    if (told !== null && !mayBePath && (told !== 'nothingFound' || namesOnlyACreator(slots)))
      return this.#documentation.unknown(language, told)
    if (hits.length > 0) return fromFacts()
    return (told === null ? await this.#live.searchByWords(text, live) : null) ?? this.#documentation.unknown(language, told ?? 'unknown')
  }

  /** While the models are being loaded, what is written can still be read. */
  #answerWithoutModels(text: string, language: Language, mode: Mode): Draft {
    const hits = this.#documentation.find(text, [], language)
    if (hits.length === 0 || needsLiveModels(text, language)) throw new ModelUnavailableError('feed')
    return this.#documentation.answer(hits, text, language, mode)
  }

  /** The language of the question; where that does not tell, the one somebody chose; else what the caller's program prefers. */
  #languageFor({ locale, text, previous, fallbackLocales }: Question): Language {
    const chosen = locale !== null && isSupportedLocale(locale) ? nearestLanguage(locale) : null
    const spoken = detectLanguage([text, previous.join(' ')].map(stripNames), chosen, {
      isNativeWord: (language, word) => this.#documentation.isNativeWord(language, word) || isSortWord(language, word),
      isSortWord,
      isKnownTerm: (language, word) => this.#documentation.isKnownTerm(language, word) || isSortWord(language, word),
    })
    return spoken ?? nearestLanguage(fallbackLocales.find(isSupportedLocale) ?? locale ?? DEFAULT_LOCALE)
  }
}

/** A passage that speaks of this much of a question was meant, unless the question points to the community. */
const CLEAR_COVERAGE = 0.7

/** Names a category and nothing else of the community: the word may be meant as one of the product, such as "work". */
const namesOnlyACategory = ({ category, ...others }: Slots): boolean =>
  category !== null && Object.values(others).every((value) => value === null || value === false)

/** A handle alone is meant as one; with a slash it could be a path of the API. */
const namesOnlyACreator = ({ handle, slug }: Slots): boolean => handle !== null && slug === null

/** Handles, addresses and quoted titles may be in any language. */
const stripNames = (text: string): string =>
  text.replace(
    /https?:\S+|@[\w-]+|\w+_\w+|\b(?:GET|POST)\b|\/[\w/{}.-]+|[\w-]+\/[\w.-]+|["“”„«»「」『』][^"“”„«»「」『』]*["“”„«»「」『』]/gu,
    ' ',
  )

function queryIdOf({ text, previous, mode, locale }: Question): string {
  const digest = createHash('sha256').update(JSON.stringify([text, previous, mode, locale]))
  return `q_${digest.digest('hex').slice(0, 16)}`
}
