import { createHash } from 'node:crypto'
import { isOutOfScope } from '../../content/ask/patterns/out-of-scope.js'
import { isTechnical } from '../../content/ask/patterns/technical.js'
import { thesaurus } from '../../readmodels/feed/search/topics.js'
import { DEFAULT_LOCALE } from '../contract/locale.js'
import type { ReadExecutor } from '../operations/read-executor.js'
import type { WordsRead } from '../operations/words-read.js'
import { ModelUnavailableError } from '../ports/document-store.js'
import type { TextPage } from './answer/citations.js'
import { DocumentationAnswers } from './answer/documentation-answer.js'
import type { Rephrase } from './answer/rephrase.js'
import { loadTextPage, type TextPageRequest } from './answer/text-pages.js'
import { spokenLanguages } from './answer/unknown-answer.js'
import { chooseSource, isClearlyDocumented, isOpen, MIN_SHARE_NEARLY, prefersCreations } from './choose-source.js'
import { isSupportedLocale, LANGUAGES, type Language, type Languages, nearestLanguage } from './languages.js'
import { LiveQuestions, needsLiveModels, type ResolvedQuestion } from './live-questions.js'
import { type Aim, aimOf } from './parse/aim.js'
import { condense } from './parse/condense.js'
import { detectLanguage, hasForeignWords, hasSmallWords, stripNames } from './parse/detect-language.js'
import { refusalReason } from './parse/guard.js'
import type { Slots } from './parse/slots.js'
import type { Mode, Question } from './request.js'
import { type AskDebug, type AskResponse, type Draft, NLWEB_VERSION, type NotFoundReason } from './response.js'
import { Documentation } from './retrieve/documentation.js'
import type { Installation } from './retrieve/facts.js'
import { PassageSearch } from './retrieve/find-passages.js'
import { NameDirectory } from './retrieve/name-directory.js'
import type { Hit } from './retrieve/passage-index.js'

export interface AskDependencies {
  operations: ReadExecutor
  installation: Installation
  /** A language model that rephrases answers; without it they are sent as they are. */
  rephrase?: Rephrase | undefined
  /** Called with the response type of every answer. */
  onAnswered?: (outcome: string) => void
  /** Called when names were read: someone may have been removed meanwhile. */
  onNamesLoaded?: () => void
}

export interface AskOptions {
  signal?: AbortSignal
  /** Collects whose words were read for the answer. */
  wordsRead?: WordsRead
  /** Called when the models are no longer needed and only the rephrasing is left. */
  onDrafted?: () => void
  /** If they are known already. */
  languages?: Languages
}

/**
 * Answers questions from the documentation and the read models, and from nothing else. The steps, in order:
 *
 * 1. request.ts: the request becomes a question, validated and cleaned.
 * 2. parse/detect-language.ts: the language of the question. The answer may be asked for in another.
 * 3. parse/guard.ts: refuses injections, secrets, private data and changes.
 * 4. parse/condense.ts: what is read of a long message.
 * 5. live-questions.ts: parse/parse-question.ts finds names, intent and slots; retrieve/ resolves them in the models.
 * 6. retrieve/find-passages.ts: passages of the documentation that fit.
 * 7. choose-source.ts: documentation, read models, or no answer. parse/aim.ts says what the question is after; unless a passage
 *    answers it surely, the creations that fit its words are looked up, and the better fit wins.
 * 8. answer/documentation-answer.ts or answer/live-answer.ts: the answer and its citations.
 * 9. answer/rephrase.ts: a language model may rephrase it; answer/grounding.ts checks the result.
 *
 * jobs/ runs the same steps in the background.
 */
export class Ask {
  readonly documentation: Documentation
  /** Purged of removed creations by an erasure watch. */
  readonly names: NameDirectory
  readonly #passages: PassageSearch
  readonly #documentationAnswers: DocumentationAnswers
  readonly #live: LiveQuestions
  readonly #rephrase: Rephrase | undefined
  readonly #onAnswered: (outcome: string) => void

  constructor({ operations, installation, rephrase, onAnswered = () => {}, onNamesLoaded }: AskDependencies) {
    this.#rephrase = rephrase
    this.#onAnswered = onAnswered
    this.documentation = new Documentation(installation)
    this.#passages = new PassageSearch(this.documentation)
    this.#documentationAnswers = new DocumentationAnswers(this.documentation)
    this.names = new NameDirectory(onNamesLoaded)
    this.#live = new LiveQuestions(operations, installation.webUrl, this.names)
  }

  /** Whether a language model rephrases answers, which can take long. */
  get usesLanguageModel(): boolean {
    return this.#rephrase !== undefined
  }

  /** Fills the caches, so that the first question does not wait. Fails while there are no models. */
  async warmUp(signal: AbortSignal): Promise<void> {
    thesaurus()
    for (const language of LANGUAGES) {
      if (signal.aborted) return
      this.#passages.warmUp(language)
      await this.#live.warmUp(language)
    }
  }

  /** Drops tags and words of questions: one of them may be of a creator who was removed. They are quickly made again. */
  forgetWords(): void {
    this.#live.forgetWords()
    this.#passages.forgetWords()
  }

  /** The same models and the same question give the same answer, unless a language model phrases it. */
  async ask(
    question: Question,
    { signal, wordsRead, onDrafted, languages = this.languagesOf(question) }: AskOptions = {},
  ): Promise<AskResponse> {
    signal?.throwIfAborted()
    const debug: AskDebug = { source: 'none', passage: null, search: null }
    const drafted = await this.#draft(question, languages, debug, wordsRead)
    const draft = drafted.type === 'failure' && this.#isForeign(question) ? spokenLanguages(drafted, question.locale ?? '') : drafted
    debug.source = sourceOf(draft)
    onDrafted?.()
    const { type, citations, results, position, locale = languages.answer } = draft
    const answer = (await this.#rephrased(question, draft, languages.answer, signal)) ?? draft.answer
    this.#onAnswered(type)
    return {
      query_id: question.queryId ?? queryIdOf(question),
      answer,
      citations,
      results,
      _meta: { response_type: type, version: NLWEB_VERSION, mode: question.mode, locale, position, ...(question.debug ? { debug } : {}) },
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
    const context = await this.#live.context({ question: language, answer: language }, 'generate')
    const readout = await loadTextPage(wanted, context)
    return { language, readout, position: context.models.position }
  }

  async #draft(question: Question, languages: Languages, debug: AskDebug, wordsRead?: WordsRead): Promise<Draft> {
    const { text: whole, previous, mode } = question
    if (whole === '') return this.#documentationAnswers.elicitation(languages.answer)
    const refusal = refusalReason(whole)
    if (refusal !== null) return this.#documentationAnswers.refusal(refusal, languages.answer)
    const text = condense(whole)
    const parsed = await this.#live.parse(text, previous, languages, mode, wordsRead).catch((error: unknown) => {
      if (error instanceof ModelUnavailableError) return null
      throw error
    })
    if (parsed === null) return this.#answerWithoutModels(text, languages, mode)
    const unknown = (reason?: NotFoundReason) => this.#live.withSearch(this.#documentationAnswers.unknown(languages.answer, reason), parsed)
    const hits = this.#passages.find(text, parsed.dependsOnPrevious ? previous.slice(-1) : [], languages.question, parsed.knownTerms)
    debug.passage = rounded(hits[0]?.coverage)
    const source = chooseSource(parsed, hits, isOutOfScope(languages.question, text))
    if (source === 'unknown') return unknown()
    const named = source === 'live' ? await this.#live.named(parsed) : null
    if (named !== null && typeof named !== 'string') return named
    // Of a language that is not understood only the words themselves can be taken.
    const isForeign = this.#isForeign(question) && hasForeignWords(text, languages.question)
    const aim = isForeign ? 'fact' : aimOf(text, languages.question)
    const found = named === null ? await this.#lookUp(text, parsed, hits, aim, debug) : null
    if (found !== null && found !== 'unfit') return found
    const answer = source === 'live' ? (named ?? (await this.#live.answer(parsed, found === 'unfit'))) : null
    if (answer !== null && typeof answer !== 'string') return answer
    const near = answer === 'nothingFound' && found === null && hits.length === 0 ? await this.#lookUpNearly(parsed, debug) : null
    if (near !== null) return near
    if (answer !== null && isNotFoundFinal(answer, parsed.slots, hits)) return unknown(answer)
    if (hits.length > 0) return this.#documentationAnswers.answer(hits, text, languages, mode)
    return unknown(answer ?? undefined)
  }

  /** An order needs every word; where no creation has all, one that means them may still be what was meant. */
  async #lookUpNearly(parsed: ResolvedQuestion, debug: AskDebug): Promise<Draft | null> {
    const { handle, tag, featured, remixed } = parsed.slots
    if (handle !== null || tag !== null || featured || remixed || parsed.asksCount) return null
    const found = await this.#live.lookUpTopic(parsed)
    if (found === null) return null
    debug.search = rounded(found.share)
    return found.share >= MIN_SHARE_NEARLY ? this.#live.found(found, parsed) : null
  }

  /** The creations that fit a question better than the passages do; null if none were looked up, `unfit` if others fit better. */
  async #lookUp(text: string, parsed: ResolvedQuestion, hits: readonly Hit[], aim: Aim, debug: AskDebug): Promise<Draft | 'unfit' | null> {
    if (!isOpen(parsed) || isClearlyDocumented(parsed, hits, aim, isTechnical(text))) return null
    const found = await this.#live.lookUp(parsed.textWithoutName, parsed)
    if (found === null) return null
    debug.search = rounded(found.share)
    return (prefersCreations(parsed, hits, aim, found.share) ? this.#live.found(found, parsed) : null) ?? 'unfit'
  }

  /** While the models are loading, only the documentation answers. */
  #answerWithoutModels(text: string, languages: Languages, mode: Mode): Draft {
    const hits = this.#passages.find(text, [], languages.question)
    if (hits.length === 0 || needsLiveModels(text, languages.question)) throw new ModelUnavailableError('feed')
    return this.#documentationAnswers.answer(hits, text, languages, mode)
  }

  /** A chosen language answers every question; otherwise the language of the question does, and if that is unclear, the preferred one. */
  languagesOf({ locale, text, previous, fallbackLocales }: Question): Languages {
    const chosen = locale !== null && isSupportedLocale(locale) ? nearestLanguage(locale) : null
    const preferred = fallbackLocales.find(isSupportedLocale)
    const likely = chosen ?? (preferred === undefined ? null : nearestLanguage(preferred))
    const question = this.#detected([text, ...previous], likely) ?? nearestLanguage(DEFAULT_LOCALE)
    return { question, answer: chosen ?? question }
  }

  /** The language that the question or what was asked before it is written in. */
  #detected([text = '', ...previous]: readonly string[], likely: Language | null): Language | null {
    const turns = [text, previous.join(' ')].map((part) => stripNames(condense(part)))
    return detectLanguage(turns, likely, this.#passages)
  }

  /** Whether a language is asked for that has no texts, and the question is not clearly in one that has. */
  #isForeign({ locale, text }: Question): boolean {
    if (locale === null || isSupportedLocale(locale)) return false
    const found = this.#detected([text], null)
    return found === null || hasForeignWords(text, found) || !hasSmallWords(text, found)
  }
}

/** A live answer knows how new it is, and one from the documentation is as old as the program. */
const sourceOf = ({ type, position }: Draft): AskDebug['source'] =>
  type !== 'answer' ? 'none' : position === null ? 'documentation' : 'community'

const rounded = (share: number | undefined): number | null => (share === undefined ? null : Math.round(share * 100) / 100)

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
