/** Finds the creator or the creation that a question names, and takes the name out of it. */
import type { Language } from '../languages.js'
import type { CreationAddress, Names } from '../retrieve/name-directory.js'
import { fold, isUnspaced } from './fold.js'
import { NAMED } from './index.js'
import { isVague } from './vague.js'
import { isCommon } from './word-lists.js'

export interface Spotted {
  handle: string
  slug: string | null
  /** The question with the name replaced. */
  rest: string
  /** It could just as well be an ordinary word: only to be believed when the question is about people. */
  doubtful: boolean
}

/** The longest name wins, a title before a person; `names` of several languages are looked through together. */
export function spot(text: string, names: readonly Names[], language: Language): Spotted | null {
  const person = personIn(text, names, language)
  const title = titleIn(text, names)
  if (title === null) return person
  // "Tide Clock by Ada": titles need not be unique, and the name beside it says which is meant.
  const beside = personIn(title.rest, names, language)
  const own = beside === null ? undefined : title.creations.find(({ handle }) => handle === beside.handle)
  const [first] = title.creations
  if (own !== undefined && beside !== null) return { ...own, rest: beside.rest, doubtful: false }
  return first === undefined ? person : { ...first, rest: title.rest, doubtful: false }
}

const MOST_WORDS = 9

function titleIn(text: string, names: readonly Names[]): { creations: readonly CreationAddress[]; rest: string } | null {
  const found = longestIn(text, 2, (key) => names.map(({ titles }) => titles.get(key)).find((entry) => entry !== undefined))
  if (found !== null) return { creations: found.value, rest: found.rest }
  for (const { unspacedTitles, titles } of names) {
    const inside = insideOf(text, unspacedTitles, 4)
    const creations = inside === null ? undefined : titles.get(inside.key)
    if (inside !== null && creations !== undefined) return { creations, rest: inside.rest }
  }
  return null
}

function personIn(text: string, names: readonly Names[], language: Language): Spotted | null {
  const written = [...text.matchAll(/(?<![\w/.-])[a-z0-9]+(?:-[a-z0-9]+)*(?![\w/-])/giu)]
  const handle = written.find(([word]) => names.some(({ handles }) => handles.has(word.toLowerCase())))
  if (handle !== undefined)
    return {
      handle: handle[0].toLowerCase(),
      slug: null,
      rest: replaced(text, handle.index, handle.index + handle[0].length),
      doubtful: !handle[0].includes('-') && isOrdinary(handle[0], language),
    }
  for (const { unspacedPeople, people } of names) {
    const inside = insideOf(text, unspacedPeople, 3)
    const whose = inside === null ? undefined : people.get(inside.key)
    if (inside !== null && whose !== undefined) return { handle: whose, slug: null, rest: inside.rest, doubtful: false }
  }
  const named = longestIn(text, 1, (key) => names.map(({ people }) => people.get(key)).find((entry) => entry !== undefined))
  if (named !== null) return { handle: named.value, slug: null, rest: named.rest, doubtful: named.words === 1 }
  return null
}

const isOrdinary = (word: string, language: Language): boolean =>
  word.length < 5 || isCommon(language, word.toLowerCase()) || isVague(language, word.toLowerCase())

/** Of one script: "Pocket Henは" is a name and something else. */
const WORD = /[\p{Script=Latin}\p{N}\p{M}]+(?:['’](?!s\b)\p{Script=Latin}+)*|[^\P{L}\p{Script=Latin}]+/gu

/** The longest run of words that `find` knows. */
function longestIn<T>(text: string, least: number, find: (key: string) => T | undefined): { value: T; rest: string; words: number } | null {
  const words = [...text.matchAll(WORD)]
  for (let length = Math.min(MOST_WORDS, words.length); length >= least; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const first = words[from]
      const last = words[from + length - 1]
      if (first === undefined || last === undefined) continue
      const end = last.index + last[0].length
      const value = find(fold(text.slice(first.index, end)))
      if (value !== undefined) return { value, rest: replaced(text, first.index, end), words: length }
    }
  }
  return null
}

/** The first of some names (the longest comes first) that stands anywhere in a text without spaces. */
function insideOf(text: string, names: readonly (readonly [string, string])[], least: number): { key: string; rest: string } | null {
  if (!isUnspaced(text)) return null
  const plain = text.normalize('NFKC').toLowerCase()
  const packed = plain.replace(/\s+/gu, '')
  const found = names.find(([name]) => name.length >= least && packed.includes(name))
  if (found === undefined) return null
  const [name, key] = found
  const at = new RegExp([...name].map((letter) => letter.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s*'), 'u').exec(plain)
  return { key, rest: at === null ? text : replaced(plain, at.index, at.index + at[0].length) }
}

const replaced = (text: string, from: number, to: number): string => `${text.slice(0, from)} ${NAMED} ${text.slice(to)}`
