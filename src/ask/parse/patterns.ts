import { de } from '../../../content/ask/patterns/de.js'
import { en } from '../../../content/ask/patterns/en.js'
import { es } from '../../../content/ask/patterns/es.js'
import { ja } from '../../../content/ask/patterns/ja.js'
import type { Sort } from '../../../readmodels/feed/documents.js'
import type { Kind } from '../../events/index.js'
import type { Language } from '../languages.js'
import type { Intent } from './slots.js'

/** Stands in a question where a creator or a creation was named, so that a name never counts as a word of the question. */
export const NAME_PLACEHOLDER = '◇'

/** Words that give a live question away, in one language. Matched against the question in lower case. */
export interface QuestionPatterns {
  sorts: readonly [Sort, RegExp][]
  kinds: readonly [Kind, RegExp][]
  /** Any creation, whatever its kind. */
  creations: RegExp
  intents: readonly [Intent, RegExp][]
  /** What follows is a tag; what stands before it, in Japanese. */
  tagged: RegExp
  /** What stands before it is a tag: "the vinyl tag". */
  tagBefore: RegExp | null
  /** What follows is a category; what stands before it, in Japanese. */
  inCategory: RegExp
  featured: RegExp
  remixes: RegExp
  /** Asks for something that exists: what follows is to be searched. */
  search: RegExp
  who: RegExp
  about: RegExp
  /** Asks who made something. */
  maker: RegExp
  /** Asks what something was made from, not what was made from it. */
  origin: RegExp
  /** Weighs one thing against another, which nothing here does. */
  comparison: RegExp
  /** Speaks of creators in general, not of one. */
  creatorsInGeneral: RegExp
  /** Puts first, or counts. */
  ranking: RegExp
  /** What is known of a creation and not public: who liked it, what it earns. */
  notPublic: RegExp
  /** A word about people and what they do: no part of a name. */
  notAName: RegExp
  /** Asks how something works or what it costs rather than what is there. */
  howItWorks: RegExp
  /** Only understood with the question before it. */
  followUp: RegExp
}

export const PATTERNS: Record<Language, QuestionPatterns> = { en, es, de, ja }

/** Whether a word alone gives a question of this language away: "meistgenutzte". */
export const isSortWord = (language: Language, word: string): boolean => PATTERNS[language].sorts.some(([, pattern]) => pattern.test(word))
