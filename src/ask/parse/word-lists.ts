import { z } from 'zod'
import { editDistance } from '../../lib/edit-distance.js'
import { readJson } from '../../lib/package-root.js'
import { tokenize } from '../../lib/tokenize.js'
import { WordBuckets } from '../../lib/word-buckets.js'
import { LANGUAGES, type Language } from '../languages.js'

/** Lines of words, separated by spaces. */
const Words = z.array(z.string()).transform((lines) => lines.flatMap((line) => line.split(' ')))
/** The same words as the search index has them: folded and stemmed. */
const Terms = Words.transform((words): ReadonlySet<string> => new Set(tokenize(words.join(' '))))
const WordSet = Words.transform((words): ReadonlySet<string> => new Set(words))

const LanguageWords = z.strictObject({
  /** They tell the language and nothing else. */
  stopWords: WordSet,
  /**
   * Politeness and everyday words around a question. In a passage such a word counts like any other; a passage without
   * it is no worse.
   */
  fillerWords: Terms,
  /**
   * They say how something is asked rather than what about. A passage that has them fits a little better; one that
   * lacks them fits no worse, and they are not searched for in the community.
   */
  vagueWords: Terms,
  /** They decide what is asked, so a typo in one is corrected. The first match wins. */
  intentWords: Words,
})

const byLanguage = <T>(make: (language: Language) => T): Record<Language, T> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, T> // it forgets that the keys are LANGUAGES

const WORDS = byLanguage((language) => readJson(`content/ask/words/${language}.json`, LanguageWords))

/** Small words of languages that are not ours, so that a French question is not taken for a German one. */
export const FOREIGN_STOP_WORDS = readJson('content/ask/words/foreign.json', z.strictObject({ stopWords: WordSet })).stopWords

export const isStopWord = (language: Language, word: string): boolean => WORDS[language].stopWords.has(word)

export const isFiller = (language: Language, term: string): boolean => WORDS[language].fillerWords.has(term)

export const isVague = (language: Language, term: string): boolean => WORDS[language].vagueWords.has(term)

/** What a typo is compared with. */
const STOP_WORD_BUCKETS = byLanguage((language) => new WordBuckets(WORDS[language].stopWords))

const INTENT_WORDS = byLanguage((language) => new Set(WORDS[language].intentWords))

export const isIntentWord = (language: Language, word: string): boolean => INTENT_WORDS[language].has(word)

export const intentWords = (language: Language): readonly string[] => WORDS[language].intentWords

/** Whether a word is a stop word with two letters swapped or, if it is long enough to tell, with another single typo. */
export function isNearStopWord(language: Language, word: string): boolean {
  if (word.length < 3 || language === 'ja') return false
  const sameLength = word.length < 5
  return STOP_WORD_BUCKETS[language].some(
    word,
    1,
    (common) => common.length > 2 && (sameLength ? isSwap(word, common) : common.length > 4 && editDistance(word, common, 1) <= 1),
  )
}

const isSwap = (word: string, other: string): boolean =>
  word.length === other.length && editDistance(word, other, 1) === 1 && [...word].sort().join('') === [...other].sort().join('')
