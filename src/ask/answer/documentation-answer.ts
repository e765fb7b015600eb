import { isOutside } from '../../../content/ask/patterns/out-of-scope.js'
import { isTechnical } from '../../../content/ask/patterns/technical.js'
import { PHRASES } from '../../../content/ask/replies.js'
import { citationOf, type Draft, resultOf } from '../draft.js'
import type { Language } from '../languages.js'
import { isFiller } from '../parse/filler.js'
import type { Attempt } from '../parse/guard.js'
import { partsOf } from '../parse/split-message.js'
import { isIdentifier, terms } from '../parse/terms.js'
import { isVague } from '../parse/vague.js'
import { isNearlyCommon } from '../parse/word-lists.js'
import type { Mode } from '../request.js'
import { Library, type Passage } from '../retrieve/documentation.js'
import type { Installation } from '../retrieve/facts.js'
import { generalPassage, plainPassage } from '../retrieve/fixed-questions.js'
import { type Hit, PassageIndex } from '../retrieve/passage-index.js'
import { bestSentences, firstSentence } from './sentences.js'

/** Below this share of what was asked, a passage speaks of something else. */
const ENOUGH = 0.5
/** The same for a question that is about the service for certain. */
const ENOUGH_TECHNICAL = 0.34
/** Passages nearly as good as the best belong into a list or a summary too. */
const NEARLY = 0.6
const LISTED = 3
/** A second passage that fits as well as this: nobody can tell which of the two was meant, so both are given. */
const AS_WELL = 0.88

const PASSAGE_FOR: Record<Attempt, string> = {
  rules: 'ask',
  credentials: 'no-agent-credentials',
  private: 'public-data',
  change: 'only-in-the-app',
}

/** Answers from the content: product, plans, signing in, API, limits, agent surfaces. */
export class FactAnswers {
  readonly library: Library
  readonly #indexes = new Map<Language, PassageIndex>()

  constructor(installation: Installation) {
    this.library = new Library(installation)
  }

  /** What the first question in a language needs. */
  prepare(language: Language): void {
    this.#index(language)
  }

  knows(language: Language, word: string): boolean {
    return this.#index(language).has(word)
  }

  understands(language: Language, word: string): boolean {
    return terms(word, language).some((term) => this.#index(language).knows(term))
  }

  /** The passages that answer a question, best first; none when nothing does. */
  find(text: string, previous: readonly string[], language: Language): Hit[] {
    const index = this.#index(language)
    if (isOutside(language, text) || isOfSomethingElse(text, language, index)) return []
    const plain = plainPassage(text, language)
    if (plain !== null) return [this.#meant(plain, language)]
    const { asking, around } = partsOf(text, language)
    const asked = tellingTerms(asking, language, index)
    // What is told around a question may speak of anything: only what we know of it helps to understand.
    const told = around.flatMap((part) => tellingTerms(part, language, index)).filter((term) => index.resembles(term))
    const saysNothing = (words: readonly string[]) => words.every((term) => isVague(language, term) || isFiller(language, term))
    const general = previous.length === 0 && saysNothing(told) ? generalPassage(asking, asked, language) : null
    if (general !== null) return [this.#meant(general, language)]
    if (!saysNothing(asked)) return this.#fitting(text, index.search(asked, [...previousTerms(previous, language), ...told]))
    // "She has the large plan and says it is cheap. Is that so?" asks what was told.
    const fitting = (part: string) => this.#told(text, part, previous, language)
    const best = around.map(fitting).reduce((best, hits) => ((hits[0]?.coverage ?? 0) > (best[0]?.coverage ?? 0) ? hits : best), [])
    return best.length > 0 ? best : fitting(asking)
  }

  #meant(id: string, language: Language): Hit {
    return { passage: this.passage(id, language), score: 1, coverage: 1 }
  }

  #told(text: string, part: string, previous: readonly string[], language: Language): Hit[] {
    const index = this.#index(language)
    const asked = tellingTerms(part, language, index)
    if (asked.every((term) => isVague(language, term))) return []
    return this.#fitting(text, index.search(asked, previousTerms(previous, language)))
  }

  #fitting(text: string, hits: readonly Hit[]): Hit[] {
    const [best] = hits
    const enough = isTechnical(text) ? ENOUGH_TECHNICAL : ENOUGH
    if (best === undefined || best.coverage < enough) return []
    return hits.filter(({ score, coverage }) => score >= NEARLY * best.score && coverage >= enough)
  }

  answer(hits: readonly Hit[], text: string, language: Language, mode: Mode): Draft {
    const [best = 0, second = 0] = hits.map(({ score }) => score)
    const chosen = hits.slice(0, mode !== 'generate' ? LISTED : second >= AS_WELL * best ? 2 : 1).map(({ passage }) => passage)
    const asked = terms(text, language)
    const answer =
      mode === 'generate'
        ? chosen.map((passage) => bestSentences(passage.text, asked, language))
        : chosen.map(({ text }) => firstSentence(text))
    return this.#draft('answer', answer.slice(0, mode === 'list' ? 1 : 2).join(joint(language)), chosen)
  }

  /** Nothing was asked: this can be. */
  invitation(language: Language): Draft {
    const passage = this.passage('what-to-ask', language)
    return this.#draft('elicitation', passage.text, [passage])
  }

  unknown(language: Language, reason: 'unknown' | 'noCreator' | 'noCreation' | 'nothingFound' = 'unknown'): Draft {
    const passage = this.passage('what-to-ask', language)
    return { ...this.#draft('failure', PHRASES[language][reason] + joint(language) + passage.text, [passage]), results: [] }
  }

  refusal(attempt: Attempt, language: Language): Draft {
    const passage = this.passage(PASSAGE_FOR[attempt], language)
    const reason = attempt === 'rules' ? this.passage('what-to-ask', language) : passage
    return {
      ...this.#draft('answer', PHRASES[language].refusal[attempt] + joint(language) + firstSentence(reason.text), [reason]),
      fixed: true,
    }
  }

  #jargonFor(language: Language): Passage[] {
    return language === 'en' ? [] : this.library.passages('en')
  }

  passage(id: string, language: Language): Passage {
    const passage = this.library.passages(language).find((candidate) => candidate.id === id)
    if (passage === undefined) throw new Error(`the content has no passage ${id} in ${language}`)
    return passage
  }

  #draft(type: Draft['type'], answer: string, passages: readonly Passage[]): Draft {
    return { type, answer, citations: passages.map(citationOf), results: passages.map(resultOf), position: null }
  }

  #index(language: Language): PassageIndex {
    let index = this.#indexes.get(language)
    if (index === undefined) {
      index = new PassageIndex(this.library.passages(language), language, this.#jargonFor(language))
      this.#indexes.set(language, index)
    }
    return index
  }
}

const previousTerms = (previous: readonly string[], language: Language): string[] => previous.flatMap((turn) => terms(turn, language))

const tellingTerms = (text: string, language: Language, index: PassageIndex): string[] =>
  terms(text, language).filter((term) => isTelling(term, language, index))

/** "A desktop version of Photoshop": whatever we know of versions, this one is of something that nobody here speaks of. */
function isOfSomethingElse(text: string, language: Language, index: PassageIndex): boolean {
  const owner = OWNER[language].exec(text)?.[1]
  if (owner === undefined) return false
  const words = terms(owner, language)
  return words.length > 0 && words.every((word) => isTelling(word, language, index) && !index.resembles(word) && !isVague(language, word))
}

/** What something is of, where that is the last word of a question, or the first in Japanese. */
const OWNER: Record<Language, RegExp> = {
  en: /\b(?:versions?|prices?|costs?|apps?|api|website|plans?|subscriptions?|logins?|accounts?|limits?) (?:of|for|to|on) (?:the )?(\p{L}+)[\s?!.]*$/iu,
  es: /(?<!\p{L})(?:versi[oó]n|precio|coste|app|api|web|plan|suscripci[oó]n|cuenta|l[ií]mite|escritorio)(?:es|s)? (?:de|para|en) (?:la |el )?(\p{L}+)[\s?!.]*$/iu,
  de: /(?:version|preis|kosten|app|api|website|tarif|abo|konto|limit)(?:e|en|s)? (?:von|für|bei) (?:der |dem |das )?(\p{L}+)[\s?!.]*$/iu,
  ja: /^([\p{Script=Katakana}ーa-z]+)の(?:[\p{Script=Katakana}ー]*版|バージョン|料金|値段|価格|api|プラン|アカウント|制限)/iu,
}

/** Whether a word says what is asked about: not one that questions are wrapped in, nor a slip or slang of two or three letters. */
function isTelling(term: string, language: Language, index: PassageIndex): boolean {
  if (index.knows(term)) return true
  if (isIdentifier(term) || isFiller(language, term)) return false
  if (/^\d+$/.test(term)) return true
  if (language === 'ja') return !/^\p{Script=Hiragana}+$/u.test(term) || index.resembles(term)
  return term.length > 3 && (index.resembles(term) || !isNearlyCommon(language, term))
}

export const joint = (language: Language): string => (language === 'ja' ? '' : ' ')
