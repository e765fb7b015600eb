import { z } from 'zod'
import { readJson } from '../../../src/lib/package-root.js'
import { words } from '../../../src/lib/tokenize.js'

const WordSet = z.array(z.string()).transform((lines): ReadonlySet<string> => new Set(words(lines.join(' '))))
const BY_LANGUAGE = readJson('content/search/stop-words.json', z.record(z.string(), WordSet))

/** Whether a word is a small one in any language. */
export const isSmallWord = (word: string): boolean => Object.values(BY_LANGUAGE).some((small) => small.has(word))

/** A syllable alone is what is left of a word that was taken apart wrongly. */
const KANA = /^\p{Script=Hiragana}$/u

/** Words of so many letters that are small in one language are in all. */
const SHORT = 2

/** As many small words of another language show that a text is in it. */
const TELLING = 2

/** The words that say what is looked for; all of them where there are no others. */
export function withoutStopWords(found: readonly string[], locale: string): readonly string[] {
  const small = languagesIn(new Set(found), locale).map((language) => BY_LANGUAGE[language])
  const isSmall = (word: string) => (word.length <= SHORT ? isSmallWord(word) : small.some((words) => words?.has(word)))
  const left = found.filter((word) => !isSmall(word) && !KANA.test(word))
  return left.length === 0 ? found : left
}

/** The language that is asked for, and another one if the words are clearly in it. */
function languagesIn(found: ReadonlySet<string>, locale: string): string[] {
  const asked = locale.split('-', 1)[0]?.toLowerCase() ?? ''
  const all = [...found]
  const small = (language: string) => all.filter((word) => BY_LANGUAGE[language]?.has(word)).length
  const least = Math.max(TELLING, small(asked) + 1)
  return [asked, ...Object.keys(BY_LANGUAGE).filter((language) => language !== asked && small(language) >= least)]
}
