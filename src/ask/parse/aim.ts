/** What a text is after, as far as its form shows. */
import { AIMS, type AimPatterns } from '../../../content/ask/patterns/aims.js'
import { isSmallWord, withoutStopWords } from '../../../readmodels/feed/search/stop-words.js'
import { thesaurus } from '../../../readmodels/feed/search/topics.js'
import { words } from '../../lib/tokenize.js'
import type { Language } from '../languages.js'
import { PATTERNS } from './patterns.js'

/**
 * `fact`: something that is so or not, which creations cannot answer unless they are about just that. `advice`: what one can do.
 * `wish`: something to be found.
 */
export type Aim = 'fact' | 'advice' | 'wish'

export function aimOf(text: string, language: Language): Aim {
  const is = (form: Exclude<keyof AimPatterns, 'talk'>) => hasForm(form, plainText(text), language)
  if (is('fact')) return 'fact'
  if (is('wish') || is('thing') || PATTERNS[language].search.test(plainText(text)) || !is('question')) return 'wish'
  return is('advice') ? 'advice' : 'fact'
}

/** Whether a text says that it wants "something for", which no text is. */
export const wantsSomething = (text: string, language: Language): boolean => hasForm('thing', plainText(text), language)

/** Whether a text names a thing that somebody may have made, if only as "something" or "an app": what it is after is no fact. */
export function namesThing(text: string, language: Language): boolean {
  const plain = plainText(text)
  const { kinds, creations } = PATTERNS[language]
  return wantsSomething(text, language) || [creations, ...kinds.map(([, pattern]) => pattern)].some((pattern) => pattern.test(plain))
}

const plainText = (text: string): string => text.normalize('NFC').toLowerCase().trim()

/** English questions come in every language. */
const hasForm = (form: Exclude<keyof AimPatterns, 'talk'>, plain: string, language: Language): boolean =>
  AIMS[language][form].test(plain) || AIMS.en[form].test(plain)

/** The feed refuses longer texts. */
const MAX_LENGTH = 200

/** What is left to look for without talk: every word that is no small one or part of a phrase, as it was typed. */
export function wantedWords(text: string, language: Language): string {
  const plain = text.normalize('NFC').toLowerCase()
  const all = words(plain.replace(AIMS[language].talk, ' '))
  const kept = new Set([...withoutStopWords(all, language), ...thesaurus().phrasesAmong(all).flat()])
  const found = [...new Set(all)].filter((word) => kept.has(word))
  // Where there is nothing else, small words are left; they name nothing.
  if (found.every(isSmallWord)) return ''
  let wanted = ''
  for (const word of found) if (wanted.length + word.length < MAX_LENGTH) wanted = wanted === '' ? word : `${wanted} ${word}`
  return wanted
}

/** Without kinds ("games"), which are a filter of their own, and creations in general ("apps"); empty if nothing else is said. */
export function topicOf(text: string, language: Language): string {
  const { kinds, creations } = PATTERNS[language]
  const named = [creations, ...kinds.map(([, pattern]) => pattern)]
  const wanted = wantedWords(text, language)
  const left = named.reduce((left, { source }) => left.replace(new RegExp(source, 'gu'), ' '), wanted)
  return left === wanted ? wanted : wantedWords(left, language)
}
