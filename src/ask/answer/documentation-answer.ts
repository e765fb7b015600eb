import { isOutOfScope } from '../../../content/ask/patterns/out-of-scope.js'
import { isTechnical } from '../../../content/ask/patterns/technical.js'
import { REPLIES } from '../../../content/ask/replies.js'
import type { Language } from '../languages.js'
import type { RefusalReason } from '../parse/guard.js'
import { similarity } from '../parse/similarity.js'
import { splitMessage } from '../parse/split-message.js'
import { isIdentifier, terms } from '../parse/terms.js'
import { isFiller, isNearStopWord, isVague } from '../parse/word-lists.js'
import type { Mode } from '../request.js'
import { type Draft, passageCitation, passageResult } from '../response.js'
import { Documentation, type Passage } from '../retrieve/documentation.js'
import type { Installation } from '../retrieve/facts.js'
import { passageForExactQuestion, passageForGeneralQuestion } from '../retrieve/fixed-questions.js'
import { type Hit, PassageIndex } from '../retrieve/passage-index.js'

/** Below this share of what was asked, a passage speaks of something else. */
const MIN_COVERAGE = 0.5
/** The same for a question that is about the service for certain. */
const MIN_COVERAGE_TECHNICAL = 0.34
/** Passages nearly as good as the best belong into a list or a summary too. */
const MIN_RELATIVE_SCORE = 0.6
const MAX_LISTED = 3
/** A second passage that fits as well as this: nobody can tell which of the two was meant, so both are given. */
const TIE_RATIO = 0.88

const REFUSAL_PASSAGES: Record<RefusalReason, string> = {
  rules: 'ask',
  credentials: 'no-agent-credentials',
  private: 'public-data',
  change: 'only-in-the-app',
}

/** Answers from the content: product, plans, signing in, API, limits, agent surfaces. */
export class DocumentationAnswers {
  readonly documentation: Documentation
  readonly #indexes = new Map<Language, PassageIndex>()

  constructor(installation: Installation) {
    this.documentation = new Documentation(installation)
  }

  /** What the first question in a language needs. */
  warmUp(language: Language): void {
    this.#index(language)
  }

  isNativeWord(language: Language, word: string): boolean {
    return this.#index(language).isNativeWord(word)
  }

  isKnownTerm(language: Language, word: string): boolean {
    return terms(word, language).some((term) => this.#index(language).hasTerm(term))
  }

  /** The passages that answer a question, best first; none when nothing does. */
  find(text: string, previous: readonly string[], language: Language): Hit[] {
    const index = this.#index(language)
    if (isOutOfScope(language, text) || isAboutAnotherProduct(text, language, index)) return []
    const plain = passageForExactQuestion(text, language)
    if (plain !== null) return [this.#certainHit(plain, language)]
    const { question, context } = splitMessage(text, language)
    const asked = significantTerms(question, language, index)
    // What is told around a question may speak of anything: only what we know of it helps to understand.
    const told = context.flatMap((part) => significantTerms(part, language, index)).filter((term) => index.hasSimilarTerm(term))
    const saysNothing = (words: readonly string[]) => words.every((term) => isVague(language, term) || isFiller(language, term))
    const general = previous.length === 0 && saysNothing(told) ? passageForGeneralQuestion(question, asked, language) : null
    if (general !== null) return [this.#certainHit(general, language)]
    if (!saysNothing(asked)) return this.#aboveThreshold(text, index.search(asked, [...previousTerms(previous, language), ...told]))
    // "She has the large plan and says it is cheap. Is that so?" asks what was told.
    const fitting = (part: string) => this.#findByClause(text, part, previous, language)
    const best = context.map(fitting).reduce((best, hits) => ((hits[0]?.coverage ?? 0) > (best[0]?.coverage ?? 0) ? hits : best), [])
    return best.length > 0 ? best : fitting(question)
  }

  #certainHit(id: string, language: Language): Hit {
    return { passage: this.passage(id, language), score: 1, coverage: 1 }
  }

  #findByClause(text: string, part: string, previous: readonly string[], language: Language): Hit[] {
    const index = this.#index(language)
    const asked = significantTerms(part, language, index)
    if (asked.every((term) => isVague(language, term))) return []
    return this.#aboveThreshold(text, index.search(asked, previousTerms(previous, language)))
  }

  #aboveThreshold(text: string, hits: readonly Hit[]): Hit[] {
    const [best] = hits
    const enough = isTechnical(text) ? MIN_COVERAGE_TECHNICAL : MIN_COVERAGE
    if (best === undefined || best.coverage < enough) return []
    return hits.filter(({ score, coverage }) => score >= MIN_RELATIVE_SCORE * best.score && coverage >= enough)
  }

  answer(hits: readonly Hit[], text: string, language: Language, mode: Mode): Draft {
    const [best = 0, second = 0] = hits.map(({ score }) => score)
    const chosen = hits.slice(0, mode !== 'generate' ? MAX_LISTED : second >= TIE_RATIO * best ? 2 : 1).map(({ passage }) => passage)
    const asked = terms(text, language)
    const answer =
      mode === 'generate'
        ? chosen.map((passage) => bestSentences(passage.text, asked, language))
        : chosen.map(({ text }) => firstSentence(text))
    return this.#draft('answer', answer.slice(0, mode === 'list' ? 1 : 2).join(sentenceSeparator(language)), chosen)
  }

  /** Nothing was asked: this can be. */
  elicitation(language: Language): Draft {
    const passage = this.passage('what-to-ask', language)
    return this.#draft('elicitation', passage.text, [passage])
  }

  unknown(language: Language, reason: 'unknown' | 'noCreator' | 'noCreation' | 'nothingFound' = 'unknown'): Draft {
    const passage = this.passage('what-to-ask', language)
    return { ...this.#draft('failure', REPLIES[language][reason] + sentenceSeparator(language) + passage.text, [passage]), results: [] }
  }

  refusal(attempt: RefusalReason, language: Language): Draft {
    const passage = this.passage(REFUSAL_PASSAGES[attempt], language)
    const reason = attempt === 'rules' ? this.passage('what-to-ask', language) : passage
    return {
      ...this.#draft('answer', REPLIES[language].refusal[attempt] + sentenceSeparator(language) + firstSentence(reason.text), [reason]),
      verbatim: true,
    }
  }

  #englishPassages(language: Language): Passage[] {
    return language === 'en' ? [] : this.documentation.passages('en')
  }

  passage(id: string, language: Language): Passage {
    const passage = this.documentation.passages(language).find((candidate) => candidate.id === id)
    if (passage === undefined) throw new Error(`the content has no passage ${id} in ${language}`)
    return passage
  }

  #draft(type: Draft['type'], answer: string, passages: readonly Passage[]): Draft {
    return { type, answer, citations: passages.map(passageCitation), results: passages.map(passageResult), position: null }
  }

  #index(language: Language): PassageIndex {
    let index = this.#indexes.get(language)
    if (index === undefined) {
      index = new PassageIndex(this.documentation.passages(language), language, this.#englishPassages(language))
      this.#indexes.set(language, index)
    }
    return index
  }
}

const previousTerms = (previous: readonly string[], language: Language): string[] => previous.flatMap((turn) => terms(turn, language))

const significantTerms = (text: string, language: Language, index: PassageIndex): string[] =>
  terms(text, language).filter((term) => isSignificant(term, language, index))

/** "A desktop version of Photoshop": whatever we know of versions, this one is of something that nobody here speaks of. */
function isAboutAnotherProduct(text: string, language: Language, index: PassageIndex): boolean {
  const owner = PRODUCT_NAME[language].exec(text)?.[1]
  if (owner === undefined) return false
  const words = terms(owner, language)
  return (
    words.length > 0 &&
    words.every((word) => isSignificant(word, language, index) && !index.hasSimilarTerm(word) && !isVague(language, word))
  )
}

/** What something is of, where that is the last word of a question, or the first in Japanese. */
const PRODUCT_NAME: Record<Language, RegExp> = {
  en: /\b(?:versions?|prices?|costs?|apps?|api|website|plans?|subscriptions?|logins?|accounts?|limits?) (?:of|for|to|on) (?:the )?(\p{L}+)[\s?!.]*$/iu,
  es: /(?<!\p{L})(?:versi[oó]n|precio|coste|app|api|web|plan|suscripci[oó]n|cuenta|l[ií]mite|escritorio)(?:es|s)? (?:de|para|en) (?:la |el )?(\p{L}+)[\s?!.]*$/iu,
  de: /(?:version|preis|kosten|app|api|website|tarif|abo|konto|limit)(?:e|en|s)? (?:von|für|bei) (?:der |dem |das )?(\p{L}+)[\s?!.]*$/iu,
  ja: /^([\p{Script=Katakana}ーa-z]+)の(?:[\p{Script=Katakana}ー]*版|バージョン|料金|値段|価格|api|プラン|アカウント|制限)/iu,
}

/** Whether a word says what is asked about: not one that questions are wrapped in, nor a slip or slang of two or three letters. */
function isSignificant(term: string, language: Language, index: PassageIndex): boolean {
  if (index.hasTerm(term)) return true
  if (isIdentifier(term) || isFiller(language, term)) return false
  if (/^\d+$/.test(term)) return true
  if (language === 'ja') return !/^\p{Script=Hiragana}+$/u.test(term) || index.hasSimilarTerm(term)
  return term.length > 3 && (index.hasSimilarTerm(term) || !isNearStopWord(language, term))
}

export const sentenceSeparator = (language: Language): string => (language === 'ja' ? '' : ' ')

/** Ends of sentences; "prefer.streaming" and "2026-05-26" have none inside. */
const SENTENCE_END = /(?<=[.!?])\s+(?=\p{Lu}|¿|¡|«|“|\/|`)|(?<=[。！？])/u

export const sentences = (text: string): string[] => text.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '')

export const firstSentence = (text: string): string => sentences(text)[0]?.trim() ?? ''

const MAX_SENTENCES = 3

/** A short passage as it is; of a longer one the three sentences that speak most of what was asked, in their order. */
export function bestSentences(text: string, asked: readonly string[], language: Language): string {
  const all = sentences(text)
  if (all.length <= MAX_SENTENCES) return text
  const scored = all.map((sentence, place) => ({ sentence, place, score: termOverlap(sentence, asked, language) }))
  const best = scored.toSorted((a, b) => b.score - a.score || a.place - b.place).slice(0, MAX_SENTENCES)
  return best
    .sort((a, b) => a.place - b.place)
    .map(({ sentence }) => sentence.trim())
    .join(language === 'ja' ? '' : ' ')
}

function termOverlap(sentence: string, asked: readonly string[], language: Language): number {
  const words = terms(sentence, language)
  return asked.filter((term) => words.some((word) => similarity(term, word) > 0)).length
}
