/** The forms under which a word is found: the word itself, and its stems. Both stores, the index and the query use these. */
import { stemmer as germanStem } from '@orama/stemmers/german'
import { stemmer as spanishStem } from '@orama/stemmers/spanish'
import { stem as englishStem } from 'porter2'
import { alsoForget, remembered } from '../../../src/lib/remembered.js'
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

// The stemmers keep the last word.
alsoForget(() => {
  for (const stemmer of STEMMERS.values()) stemmer('a')
})

/** By language. Titles and tags share most of their words. */
const FORMS: ReadonlyMap<string, (word: string) => readonly string[]> = new Map(
  STEMMED.map((language) => [language, remembered(100_000, (word) => computeForms(language, word))]),
)

/** Of a word in a text of this language. A compound is also found by its parts. */
export const formsIn = (language: string, word: string): readonly string[] => FORMS.get(language)?.(word) ?? [word]

function computeForms(language: string, word: string): readonly string[] {
  const parts = language === 'de' ? compoundParts(word) : []
  return [...new Set([word, ...parts].flatMap((each) => [each, storedStem(language, each)]))]
}

/**
 * With its language, because words of others are written like it: that of "regar" is the one of "Regen". English stems, and those of
 * Spanish plurals such as "flores", are mostly words themselves.
 */
function storedStem(language: string, word: string): string {
  const stemmed = stem(language, word)
  return language === 'en' || stemmed === word || (language === 'es' && word === `${stemmed}es`) ? stemmed : `${stemmed}~${language}`
}

/** The forms that may be stored of a word of this language, however it ends there. */
export function formsToFind(language: string, word: string): string[] {
  const stemmed = stem(language, word)
  // "Hund" is the stem of "Hunde"; but most Spanish words end otherwise than their stems.
  const isMarked = language === 'de' || (language === 'es' && stemmed !== word)
  return [...new Set([word, stemmed, ...(isMarked ? [`${stemmed}~${language}`] : [])])]
}

/** Of a typed word, whose language is not known. */
export const formsOf = (word: string): string[] => [...new Set(STEMMED.flatMap((language) => formsToFind(language, word)))]

export function stem(language: string, word: string): string {
  const stemmer = STEMMERS.get(language)
  return stemmer === undefined || word.length > MAX_STEMMED || !LATIN.test(word) ? word : stemmer(word)
}

const LATIN = /^[a-z]+$/
