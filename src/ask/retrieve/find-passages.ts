import { isOutOfScope } from '../../../content/ask/patterns/out-of-scope.js'
import { isTechnical } from '../../../content/ask/patterns/technical.js'
import type { Language } from '../languages.js'
import { splitMessage } from '../parse/condense.js'
import type { Lexicon } from '../parse/detect-language.js'
import { isIdentifier, terms } from '../parse/terms.js'
import { isFiller, isNearStopWord, isVague } from '../parse/word-lists.js'
import type { Documentation } from './documentation.js'
import { passageForExactQuestion, passageForGeneralQuestion } from './fixed-questions.js'
import { type Hit, PassageIndex } from './passage-index.js'

/** Below this share of what was asked, a passage is about something else. */
const MIN_COVERAGE = 0.5
/** The same for a question that is certainly about the service. */
const MIN_COVERAGE_TECHNICAL = 0.34
/** Passages nearly as good as the best belong in a list or a summary too. */
const MIN_RELATIVE_SCORE = 0.6

/** Finds the passages of the documentation that answer a question. */
export class PassageSearch implements Lexicon {
  readonly #documentation: Documentation
  readonly #indexes = new Map<Language, PassageIndex>()

  constructor(documentation: Documentation) {
    this.#documentation = documentation
  }

  /** Builds the index of a language before the first question needs it. */
  warmUp(language: Language): void {
    this.#index(language)
  }

  forgetWords(): void {
    for (const index of this.#indexes.values()) index.forgetWords()
  }

  isNativeWord(language: Language, word: string): boolean {
    return this.#index(language).isNativeWord(word)
  }

  isKnownTerm(language: Language, word: string): boolean {
    return terms(word, language).some((term) => this.#index(language).hasTerm(term))
  }

  /** The passages that answer a question, best first; none if nothing does. `correct`: terms that the community uses, which are no typos. */
  find(text: string, previous: readonly string[], language: Language, correct?: ReadonlySet<string>): Hit[] {
    const index = this.#index(language)
    if (isOutOfScope(language, text) || isAboutAnotherProduct(text, language, index)) return []
    const exact = passageForExactQuestion(text, language)
    if (exact !== null) return [this.#certainHit(exact, language)]
    const { question, context } = splitMessage(text, language)
    const asked = significantTerms(question, language, index)
    // The context of a question may be about anything: only terms of the documentation help.
    const told = context.flatMap((part) => significantTerms(part, language, index)).filter((term) => index.hasSimilarTerm(term))
    const saysNothing = (words: readonly string[]) => words.every((term) => isVague(language, term) || isFiller(language, term))
    const general = previous.length === 0 && saysNothing(told) ? passageForGeneralQuestion(question, asked, language) : null
    if (general !== null) return [this.#certainHit(general, language)]
    if (!saysNothing(asked))
      return this.#aboveThreshold(text, index.search(asked, [...previousTerms(previous, language), ...told], correct))
    // "She has the large plan and says it is cheap. Is that so?" asks about its context.
    const hitsOf = (part: string) => this.#findByClause(text, part, previous, language, correct)
    const best = context.map(hitsOf).reduce((best, hits) => ((hits[0]?.coverage ?? 0) > (best[0]?.coverage ?? 0) ? hits : best), [])
    return best.length > 0 ? best : hitsOf(question)
  }

  #certainHit(id: string, language: Language): Hit {
    return { passage: this.#documentation.passage(id, language), score: 1, coverage: 1 }
  }

  #findByClause(text: string, part: string, previous: readonly string[], language: Language, correct?: ReadonlySet<string>): Hit[] {
    const index = this.#index(language)
    const asked = significantTerms(part, language, index)
    if (asked.every((term) => isVague(language, term))) return []
    return this.#aboveThreshold(text, index.search(asked, previousTerms(previous, language), correct))
  }

  #aboveThreshold(text: string, hits: readonly Hit[]): Hit[] {
    const [best] = hits
    const enough = isTechnical(text) ? MIN_COVERAGE_TECHNICAL : MIN_COVERAGE
    if (best === undefined || best.coverage < enough) return []
    return hits.filter(({ score, coverage }) => score >= MIN_RELATIVE_SCORE * best.score && coverage >= enough)
  }

  #index(language: Language): PassageIndex {
    let index = this.#indexes.get(language)
    if (index === undefined) {
      index = new PassageIndex(
        this.#documentation.passages(language),
        language,
        language === 'en' ? [] : this.#documentation.passages('en'),
      )
      this.#indexes.set(language, index)
    }
    return index
  }
}

const previousTerms = (previous: readonly string[], language: Language): string[] => previous.flatMap((turn) => terms(turn, language))

const significantTerms = (text: string, language: Language, index: PassageIndex): string[] =>
  terms(text, language).filter((term) => isSignificant(term, language, index))

/** "A desktop version of Photoshop": we know versions, but not of this product. */
function isAboutAnotherProduct(text: string, language: Language, index: PassageIndex): boolean {
  const product = PRODUCT_NAME[language].exec(text)?.[1]
  if (product === undefined) return false
  const words = terms(product, language)
  return (
    words.length > 0 &&
    words.every((word) => isSignificant(word, language, index) && !index.hasSimilarTerm(word) && !isVague(language, word))
  )
}

/** Captures the product: the last word of a question, or the first in Japanese. */
const PRODUCT_NAME: Record<Language, RegExp> = {
  en: /\b(?:versions?|prices?|costs?|apps?|api|website|plans?|subscriptions?|logins?|accounts?|limits?) (?:of|for|to|on) (?:the )?(\p{L}+)[\s?!.]*$/iu,
  es: /(?<!\p{L})(?:versi[oó]n|precio|coste|app|api|web|plan|suscripci[oó]n|cuenta|l[ií]mite|escritorio)(?:es|s)? (?:de|para|en) (?:la |el )?(\p{L}+)[\s?!.]*$/iu,
  de: /(?:version|preis|kosten|app|api|website|tarif|abo|konto|limit)(?:e|en|s)? (?:von|für|bei) (?:der |dem |das )?(\p{L}+)[\s?!.]*$/iu,
  ja: /^([\p{Script=Katakana}ーa-z]+)の(?:[\p{Script=Katakana}ー]*版|バージョン|料金|値段|価格|api|プラン|アカウント|制限)/iu,
}

/** Whether a word says what is asked about: no filler word, no typo, no slang of two or three letters. */
function isSignificant(term: string, language: Language, index: PassageIndex): boolean {
  if (index.hasTerm(term)) return true
  if (isIdentifier(term) || isFiller(language, term)) return false
  if (/^\d+$/.test(term)) return true
  if (language === 'ja') return !/^\p{Script=Hiragana}+$/u.test(term) || index.hasSimilarTerm(term)
  return term.length > 3 && (index.hasSimilarTerm(term) || !isNearStopWord(language, term))
}
