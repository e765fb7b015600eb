import { createHash } from 'node:crypto'
import { isOutOfScope } from '../../content/ask/patterns/out-of-scope.js'
import { isTechnical } from '../../content/ask/patterns/technical.js'
import { thesaurus } from '../../readmodels/feed/search/topics.js'
import { DEFAULT_LOCALE } from '../contract/locale.js'
import type { ReadExecutor } from '../operations/read-executor.js'
import type { ReadSessionOptions } from '../operations/read-session.js'
import { ModelUnavailableError } from '../ports/document-store.js'
import type { TextPage } from './answer/citations.js'
import { DocumentationAnswers } from './answer/documentation-answer.js'
import { rephrased } from './answer/rephrase.js'
import { loadTextPage, type TextPageRequest } from './answer/text-pages.js'
import { spokenLanguages } from './answer/unknown-answer.js'
import { chooseSource, isClearlyDocumented, isOpen, MIN_SHARE_NEARLY, prefersCreations } from './choose-source.js'
import type { LanguageModel } from './language-model.js'
import { isSupportedLocale, LANGUAGES, type Language, type Languages, nearestLanguage } from './languages.js'
import { LiveQuestions, type Lookup, needsLiveModels, type ResolvedQuestion } from './live-questions.js'
import { type Aim, aimOf, namesThing, wantsSomething } from './parse/aim.js'
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
import { proposedWords } from './retrieve/propose-words.js'

export interface AskDependencies {
  operations: ReadExecutor
  installation: Installation
  /** Rephrases answers and proposes words to search for; without it answers are sent as they are found. */
  model?: LanguageModel | undefined
  /** Called with the response type of every answer. */
  onAnswered?: (outcome: string) => void
  /** Called when names were read: someone may have been removed meanwhile. */
  onNamesLoaded?: () => void
}

export interface AskOptions extends ReadSessionOptions {
  signal?: AbortSignal
  /** Called when the read models have been read, before a language model is asked. */
  onDrafted?: () => void
  /** If they are known already. */
  languages?: Languages
}

/** A draft, with the wish for which nothing fits well: words that a language model knows may find more. */
type Drafted = Draft & { unmet?: UnmetWish }

interface UnmetWish {
  text: string
  parsed: ResolvedQuestion
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
 * 9. A language model, if there is one, is asked once. Where nothing fits well, retrieve/propose-words.ts asks for other words, and what
 *    these find is the answer. Else answer/rephrase.ts has it rephrase the answer, and checks the result.
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
  readonly #model: LanguageModel | undefined
  readonly #onAnswered: (outcome: string) => void

  constructor({ operations, installation, model, onAnswered = () => {}, onNamesLoaded }: AskDependencies) {
    this.#model = model
    this.#onAnswered = onAnswered
    this.documentation = new Documentation(installation)
    this.#passages = new PassageSearch(this.documentation)
    this.#documentationAnswers = new DocumentationAnswers(this.documentation)
    this.names = new NameDirectory(onNamesLoaded)
    this.#live = new LiveQuestions(operations, installation.webUrl, this.names)
  }

  /** Whether a language model is asked, which can take long. */
  get usesLanguageModel(): boolean {
    return this.#model !== undefined
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

  /** The same models and the same question give the same answer, unless a language model has a part in it. */
  async ask(
    question: Question,
    { signal, onDrafted, languages = this.languagesOf(question), ...reading }: AskOptions = {},
  ): Promise<AskResponse> {
    signal?.throwIfAborted()
    const debug: AskDebug = { source: 'none', passage: null, search: null }
    const own = await this.#draft(question, languages, debug, reading)
    const drafted = own.type === 'failure' && this.#isForeign(question) ? spokenLanguages(own, question.locale ?? '') : own
    onDrafted?.()
    const draft = await this.#withModel(question, drafted, languages.answer, debug, signal)
    debug.source = sourceOf(draft)
    const { type, answer, citations, results, position, locale = languages.answer } = draft
    this.#onAnswered(type)
    return {
      query_id: question.queryId ?? queryIdOf(question),
      answer,
      citations,
      results,
      _meta: { response_type: type, version: NLWEB_VERSION, mode: question.mode, locale, position, ...(question.debug ? { debug } : {}) },
    }
  }

  /** Whatever a model gets wrong, the draft stays. */
  async #withModel({ text, mode }: Question, draft: Drafted, language: Language, debug: AskDebug, signal?: AbortSignal): Promise<Draft> {
    if (this.#model === undefined) return draft
    if (draft.unmet !== undefined) return (await this.#lookUpProposed(this.#model, draft.unmet, debug, signal)) ?? draft
    if (draft.type !== 'answer' || draft.verbatim || mode === 'list') return draft
    const answer = await rephrased(this.#model, { question: text, answer: draft.answer, citations: draft.citations, language }, signal)
    return answer === null ? draft : { ...draft, answer }
  }

  /** What is found by words that a model proposes. Of these only the words that a creation holds are searched for, and named. */
  async #lookUpProposed(model: LanguageModel, { text, parsed }: UnmetWish, debug: AskDebug, signal?: AbortSignal): Promise<Draft | null> {
    const words = await proposedWords(model, text, parsed.context.questionLanguage, signal)
    const tried = await this.#live.lookUp(words.join(' '), parsed)
    const held = tried?.list.matches[0]?.words ?? []
    const found = await this.#live.lookUp(held.join(' '), parsed)
    if (found === null || found.share < MIN_SHARE_NEARLY) return null
    debug.search = rounded(found.share)
    return this.#live.found(found, parsed)
  }

  /** A page that live answers cite. */
  async textPage(
    wanted: TextPageRequest,
    locale: string,
    reading?: ReadSessionOptions,
  ): Promise<{ language: Language; readout: TextPage | null; position: number | null }> {
    const language = nearestLanguage(locale)
    const context = await this.#live.context({ question: language, answer: language }, 'generate', reading)
    const readout = await loadTextPage(wanted, context)
    return { language, readout, position: context.models.position }
  }

  async #draft(question: Question, languages: Languages, debug: AskDebug, reading: ReadSessionOptions): Promise<Drafted> {
    const { text: whole, previous, mode } = question
    if (whole === '') return this.#documentationAnswers.elicitation(languages.answer)
    const refusal = refusalReason(whole)
    if (refusal !== null) return this.#documentationAnswers.refusal(refusal, languages.answer)
    const text = condense(whole)
    const parsed = await this.#live.parse(text, previous, languages, mode, reading).catch((error: unknown) => {
      if (error instanceof ModelUnavailableError) return null
      throw error
    })
    if (parsed === null) return this.#answerWithoutModels(text, languages, mode)
    const unknown = (reason?: NotFoundReason, unfit?: Lookup) =>
      this.#live.withSearch(this.#documentationAnswers.unknown(languages.answer, reason), parsed, unfit)
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
    if (found?.draft !== undefined) return found.draft
    const unfit = found?.unfit
    const answer = source === 'live' ? (named ?? (await this.#live.answer(parsed, unfit !== undefined))) : null
    if (answer !== null && typeof answer !== 'string') return answer
    const near = answer === 'nothingFound' && found === null && hits.length === 0 ? await this.#lookUpNearly(parsed, debug) : null
    if (near !== null) return near
    if (answer !== null && isNotFoundFinal(answer, parsed.slots, hits)) return unknown(answer, unfit)
    if (hits.length > 0) return this.#documentationAnswers.answer(hits, languages, mode)
    // A question about the world stays unanswered, whatever a model proposes.
    const isUnmet = unfit !== undefined && aim === 'wish' && namesThing(text, languages.question)
    return { ...unknown(answer ?? undefined, unfit), ...(isUnmet ? { unmet: { text, parsed } } : {}) }
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

  /** The creations that fit a question better than the passages do; `unfit` are those that do not. Null if none were looked up. */
  async #lookUp(
    text: string,
    parsed: ResolvedQuestion,
    hits: readonly Hit[],
    aim: Aim,
    debug: AskDebug,
  ): Promise<{ draft: Drafted; unfit?: never } | { draft?: never; unfit: Lookup } | null> {
    if (!isOpen(parsed) || isClearlyDocumented(parsed, hits, aim, isTechnical(text))) return null
    const found = await this.#live.lookUp(parsed.textWithoutName, parsed)
    if (found === null) return null
    debug.search = rounded(found.share)
    const draft = prefersCreations(parsed, hits, { aim, wantsThing: wantsSomething(text, parsed.context.questionLanguage) }, found.share)
      ? this.#live.found(found, parsed)
      : null
    if (draft === null) return { unfit: found }
    // By topics nearby alone.
    const isMet = found.list.matches.some(({ words }) => words.length > 0)
    return { draft: isMet ? draft : { ...draft, unmet: { text, parsed } } }
  }

  /** While the models are loading, only the documentation answers. */
  #answerWithoutModels(text: string, languages: Languages, mode: Mode): Draft {
    const hits = this.#passages.find(text, [], languages.question)
    if (hits.length === 0 || needsLiveModels(text, languages.question)) throw new ModelUnavailableError('feed')
    return this.#documentationAnswers.answer(hits, languages, mode)
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
