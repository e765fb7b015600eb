/** The forms under which a word is found: the word itself, and its stems. Both stores, the index and the query use these. */
import { stemmer as germanStem } from '@orama/stemmers/german'
import { stemmer as spanishStem } from '@orama/stemmers/spanish'
import { stem as englishStem } from 'porter2'
import { compoundParts } from './compounds.js'

/** Of words without accents, as all words here are. */
const STEMMERS: ReadonlyMap<string, (word: string) => string> = new Map([
  ['en', englishStem],
  ['de', germanStem],
  ['es', spanishStem],
])

export const STEMMED = [...STEMMERS.keys()]

/** Names and numbers of more letters are no words of a language. */
const MAX_STEMMED = 32

/** Titles and tags share most of their words. */
const recent = new Map<string, readonly string[]>()
const MAX_RECENT = 20_000

/** The words may be those of an erased person. The stemmers keep the last one, too. */
export function forgetStems(): void {
  recent.clear()
  for (const stemmer of STEMMERS.values()) stemmer('a')
}

/** Of a word in a text of this language. A compound is also found by its parts. */
export function formsIn(language: string, word: string): readonly string[] {
  const key = `${language} ${word}`
  const known = recent.get(key)
  if (known !== undefined) return known
  const parts = language === 'de' ? compoundParts(word) : []
  const found = [...new Set([word, ...parts].flatMap((each) => [each, stem(language, each)]))]
  if (recent.size === MAX_RECENT) recent.clear()
  recent.set(key, found)
  return found
}

/** Of a typed word, whose language is not known. */
export const formsOf = (word: string): string[] => [...new Set([word, ...STEMMED.map((language) => stem(language, word))])]

export function stem(language: string, word: string): string {
  const stemmer = STEMMERS.get(language)
  return stemmer === undefined || word.length > MAX_STEMMED || !LATIN.test(word) ? word : stemmer(word)
}

const LATIN = /^[a-z]+$/
