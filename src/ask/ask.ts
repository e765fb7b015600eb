import { createHash } from 'node:crypto'
import { isOutside } from '../../content/ask/patterns/out-of-scope.js'
import { DEFAULT_LOCALE } from '../contract/locale.js'
import type { Operations } from '../operations/read-executor.js'
import { ModelUnavailableError } from '../ports/document-store.js'
import type { Readout } from './answer/citations.js'
import { FactAnswers } from './answer/documentation-answer.js'
import { type LivePage, livePage } from './answer/load-text-page.js'
import type { Phrase } from './answer/rephrase.js'
import type { Draft } from './draft.js'
import { LANGUAGES, type Language, nearestLanguage, speaks, spokenLanguage } from './languages.js'
import { isAboutModels, LiveAnswers } from './live-questions.js'
import { attemptIn } from './parse/guard.js'
import { isCue } from './parse/index.js'
import type { Slots } from './parse/slots.js'
import type { Mode, Question } from './request.js'
import { type AskResponse, NLWEB_VERSION } from './response.js'
import type { Library } from './retrieve/documentation.js'
import type { Installation } from './retrieve/facts.js'

export interface AskParts {
  operations: Operations
  installation: Installation
  /** Says answers in its own words; without it they are said as they are. */
  phrase?: Phrase | undefined
  /** Is told what came of every question. */
  answered?: (outcome: string) => void
}

export interface AskOptions {
  signal?: AbortSignal
  /** Is called when nothing more is wanted of the models: what is left is to find the words. */
  drafted?: () => void
}

/** Answers questions from the product facts and the read models, and from nothing else. */
export class Ask {
  readonly #facts: FactAnswers
  readonly #live: LiveAnswers
  readonly #phrase: Phrase | undefined
  readonly #answered: (outcome: string) => void

  constructor({ operations, installation, phrase, answered = () => {} }: AskParts) {
    this.#phrase = phrase
    this.#answered = answered
    this.#facts = new FactAnswers(installation)
    this.#live = new LiveAnswers(operations, installation.webUrl)
  }

  /** Whether a language model is asked for the words, which takes as long as that takes. */
  get isPhrased(): boolean {
    return this.#phrase !== undefined
  }

  get library(): Library {
    return this.#facts.library
  }

  /** So that nobody's question is the one that waits. Without models there is nothing to prepare yet. */
  async prepare(signal: AbortSignal): Promise<void> {
    for (const language of LANGUAGES) {
      if (signal.aborted) return
      this.#facts.prepare(language)
      await this.#live.prepare(language)
    }
  }

  /** The same models and the same question give the same answer, unless a language model phrases it. */
  async ask(question: Question, { signal, drafted }: AskOptions = {}): Promise<AskResponse> {
    signal?.throwIfAborted()
    const language = this.#languageFor(question)
    const draft = await this.#draft(question, language)
    drafted?.()
    const { type, citations, results, position } = draft
    const answer = (await this.#phrased(question, draft, language, signal)) ?? draft.answer
    this.#answered(type)
    return {
      query_id: question.queryId ?? idOf(question),
      answer,
      citations,
      results,
      _meta: { response_type: type, version: NLWEB_VERSION, mode: question.mode, locale: language, position },
    }
  }

  async #phrased({ text, mode }: Question, { type, fixed, answer, citations }: Draft, language: Language, signal?: AbortSignal) {
    if (this.#phrase === undefined || type !== 'answer' || fixed || mode === 'list') return null
    return this.#phrase({ question: text, answer, citations, language }, signal)
  }

  /** A page that live answers cite. */
  async livePage(wanted: LivePage, locale: string): Promise<{ language: Language; readout: Readout | null; position: number | null }> {
    const language = nearestLanguage(locale)
    const telling = await this.#live.telling(language, 'generate')
    const readout = await livePage(wanted, telling)
    return { language, readout, position: telling.models.position }
  }

  async #draft({ text, previous, mode }: Question, language: Language): Promise<Draft> {
    if (text === '') return this.#facts.invitation(language)
    const attempt = attemptIn(text)
    if (attempt !== null) return this.#facts.refusal(attempt, language)
    const live = await this.#live.read(text, previous, language, mode).catch((error: unknown) => {
      if (error instanceof ModelUnavailableError) return null
      throw error
    })
    if (live === null) return this.#withoutModels(text, language, mode)
    const hits = this.#facts.find(text, live.leans ? previous.slice(-1) : [], language)
    const fromFacts = () => this.#facts.answer(hits, text, language, mode)
    const { slots, explains, compares, loose, crowd, untold } = live
    if ((crowd && !explains && slots.handle === null) || (untold && slots.handle !== null)) return this.#facts.unknown(language)
    const [best] = hits
    const wellWritten = best !== undefined && (explains || isOnlyPlace(slots) || (loose && best.coverage >= CLEARLY))
    if (wellWritten && slots.handle === null && slots.tag === null) return fromFacts()
    if (slots.handle === null && isOutside(language, text)) return this.#facts.unknown(language)
    if (compares && (slots.handle !== null || slots.sort !== null || slots.topic !== null)) return this.#facts.unknown(language)
    const told = await this.#live.answer(live)
    if (told !== null && typeof told !== 'string') return told
    // What looks like an address may be a path of the API, or a unit: "requests/min".
    const mayBePath = slots.slug !== null && hits.length > 0
    if (told !== null && !mayBePath && (told !== 'nothingFound' || isPerson(slots))) return this.#facts.unknown(language, told)
    if (hits.length > 0) return fromFacts()
    return (told === null ? await this.#live.search(text, live) : null) ?? this.#facts.unknown(language, told ?? 'unknown')
  }

  /** While the models are being loaded, what is written can still be read. */
  #withoutModels(text: string, language: Language, mode: Mode): Draft {
    const hits = this.#facts.find(text, [], language)
    if (hits.length === 0 || isAboutModels(text, language)) throw new ModelUnavailableError('feed')
    return this.#facts.answer(hits, text, language, mode)
  }

  /** The language of the question; where that does not tell, the one somebody chose; else what the caller's program prefers. */
  #languageFor({ locale, text, previous, fallbackLocales }: Question): Language {
    const chosen = locale !== null && speaks(locale) ? nearestLanguage(locale) : null
    const spoken = spokenLanguage([text, previous.join(' ')].map(withoutNames), chosen, {
      knows: (language, word) => this.#facts.knows(language, word) || isCue(language, word),
      isCue,
      understands: (language, word) => this.#facts.understands(language, word) || isCue(language, word),
    })
    return spoken ?? nearestLanguage(fallbackLocales.find(speaks) ?? locale ?? DEFAULT_LOCALE)
  }
}

/** A passage that speaks of this much of a question was meant, unless the question points to the community. */
const CLEARLY = 0.7

/** Names a category and nothing else of the community: the word may be meant as one of the product, such as "work". */
const isOnlyPlace = ({ category, ...others }: Slots): boolean =>
  category !== null && Object.values(others).every((value) => value === null || value === false)

/** A handle alone is meant as one; with a slash it could be a path of the API. */
const isPerson = ({ handle, slug }: Slots): boolean => handle !== null && slug === null

/** Handles, addresses and quoted titles may be in any language. */
const withoutNames = (text: string): string =>
  text.replace(
    /https?:\S+|@[\w-]+|\w+_\w+|\b(?:GET|POST)\b|\/[\w/{}.-]+|[\w-]+\/[\w.-]+|["“”„«»「」『』][^"“”„«»「」『』]*["“”„«»「」『』]/gu,
    ' ',
  )

function idOf({ text, previous, mode, locale }: Question): string {
  const digest = createHash('sha256').update(JSON.stringify([text, previous, mode, locale]))
  return `q_${digest.digest('hex').slice(0, 16)}`
}
