import { de } from '../../../content/ask/patterns/de.js'
import { en } from '../../../content/ask/patterns/en.js'
import { es } from '../../../content/ask/patterns/es.js'
import { ja } from '../../../content/ask/patterns/ja.js'
import type { Sort } from '../../../readmodels/feed/documents.js'
import type { Kind } from '../../events/index.js'
import type { Language } from '../languages.js'
import type { Intent } from './slots.js'

/** Replaces the name of a creator or a creation in a question, so that a name never counts as its words. */
export const NAME_PLACEHOLDER = '◇'

/** Patterns of live questions in one language, matched against the question in lower case. */
export interface QuestionPatterns {
  sorts: readonly [Sort, RegExp][]
  kinds: readonly [Kind, RegExp][]
  /** Creations of any kind. */
  creations: RegExp
  intents: readonly [Intent, RegExp][]
  /** A tag follows; in Japanese it precedes. */
  tagged: RegExp
  /** A tag precedes: "the vinyl tag". */
  tagBefore: RegExp | null
  /** A category follows; in Japanese it precedes. */
  inCategory: RegExp
  featured: RegExp
  remixes: RegExp
  /** Asks to find something: what follows is searched for. */
  search: RegExp
  who: RegExp
  about: RegExp
  /** Asks who made something. */
  maker: RegExp
  /** Asks what something was made from, not what was made from it. */
  origin: RegExp
  /** Compares things, which no answer here does. */
  comparison: RegExp
  /** Is about creators in general, not about one. */
  creatorsInGeneral: RegExp
  /** Ranks or counts. */
  ranking: RegExp
  /** What is not public about a creation: who liked it, what it earns. */
  notPublic: RegExp
  /** Words about people and what they do, which are no part of a name. */
  notAName: RegExp
  /** Asks how something works or what it costs, not what exists. */
  howItWorks: RegExp
  /** Needs an earlier question to make sense. */
  followUp: RegExp
}

export const PATTERNS: Record<Language, QuestionPatterns> = { en, es, de, ja }

/** Whether a word alone determines the sort, and so the language: "meistgenutzte". */
export const isSortWord = (language: Language, word: string): boolean => PATTERNS[language].sorts.some(([, pattern]) => pattern.test(word))
