/** Finds the creator or the creation that a question names, and replaces the name by a placeholder. */
import type { Language } from '../languages.js'
import { NAME_PLACEHOLDER } from './patterns.js'
import type { SpellingIndex } from './spelling.js'
import { isStopWord, isVague } from './word-lists.js'

export interface CreationAddress {
  handle: string
  slug: string
}

/** Creations by title and creators by name, both normalized by `normalizeName`. */
export interface KnownNames {
  titles: ReadonlyMap<string, readonly CreationAddress[]>
  people: ReadonlyMap<string, string>
  handles: ReadonlySet<string>
  /** Handles, and every word of titles and names. */
  spelling: SpellingIndex
  /** Titles and names in scripts without spaces, spaces left out, the longest first. */
  unspacedTitles: readonly (readonly [string, string])[]
  unspacedPeople: readonly (readonly [string, string])[]
}

export interface FoundName {
  handle: string
  slug: string | null
  /** The question with the name replaced. */
  textWithoutName: string
  /** It may be an ordinary word: a name only if the question is about people. */
  isAmbiguous: boolean
}

/** The longest name wins, a title before a creator; `names` holds one entry per language. */
export function findName(text: string, names: readonly KnownNames[], language: Language): FoundName | null {
  const person = findCreator(text, names, language)
  const title = findTitle(text, names)
  if (title === null) return person
  // "Tide Clock by Ada": titles are not unique, the creator says which is meant.
  const beside = findCreator(title.rest, names, language)
  const own = beside === null ? undefined : title.creations.find(({ handle }) => handle === beside.handle)
  const [first] = title.creations
  if (own !== undefined && beside !== null) return { ...own, textWithoutName: beside.textWithoutName, isAmbiguous: false }
  return first === undefined ? person : { ...first, textWithoutName: title.rest, isAmbiguous: false }
}

const MAX_NAME_WORDS = 9

function findTitle(text: string, names: readonly KnownNames[]): { creations: readonly CreationAddress[]; rest: string } | null {
  const found = longestMatch(text, 2, (key) => names.map(({ titles }) => titles.get(key)).find((entry) => entry !== undefined))
  if (found !== null) return { creations: found.value, rest: found.rest }
  for (const { unspacedTitles, titles } of names) {
    const inside = findInUnspacedText(text, unspacedTitles, 4)
    const creations = inside === null ? undefined : titles.get(inside.key)
    if (inside !== null && creations !== undefined) return { creations, rest: inside.rest }
  }
  return null
}

function findCreator(text: string, names: readonly KnownNames[], language: Language): FoundName | null {
  const written = [...text.matchAll(/(?<![\w/.-])[a-z0-9]+(?:-[a-z0-9]+)*(?![\w/-])/giu)]
  const handle = written.find(([word]) => names.some(({ handles }) => handles.has(word.toLowerCase())))
  if (handle !== undefined)
    return {
      handle: handle[0].toLowerCase(),
      slug: null,
      textWithoutName: withPlaceholder(text, handle.index, handle.index + handle[0].length),
      isAmbiguous: !handle[0].includes('-') && isOrdinaryWord(handle[0], language),
    }
  for (const { unspacedPeople, people } of names) {
    const inside = findInUnspacedText(text, unspacedPeople, 3)
    const whose = inside === null ? undefined : people.get(inside.key)
    if (inside !== null && whose !== undefined) return { handle: whose, slug: null, textWithoutName: inside.rest, isAmbiguous: false }
  }
  const named = longestMatch(text, 1, (key) => names.map(({ people }) => people.get(key)).find((entry) => entry !== undefined))
  if (named !== null) return { handle: named.value, slug: null, textWithoutName: named.rest, isAmbiguous: named.words === 1 }
  return null
}

const isOrdinaryWord = (word: string, language: Language): boolean =>
  word.length < 5 || isStopWord(language, word.toLowerCase()) || isVague(language, word.toLowerCase())

/** A word is of one script: "Pocket Henは" is a name and a particle. */
const WORD = /[\p{Script=Latin}\p{N}\p{M}]+(?:['’](?!s\b)\p{Script=Latin}+)*|[^\P{L}\p{Script=Latin}]+/gu

/** The longest run of words that `find` knows. */
function longestMatch<T>(
  text: string,
  least: number,
  find: (key: string) => T | undefined,
): { value: T; rest: string; words: number } | null {
  const words = nameWords(text)
  for (let length = Math.min(MAX_NAME_WORDS, words.length); length >= least; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const first = words[from]
      const last = words[from + length - 1]
      if (first === undefined || last === undefined) continue
      let key = first.normalized
      for (let n = from + 1; n < from + length; n += 1) key += (words[n]?.gapBefore ?? '') + (words[n]?.normalized ?? '')
      const value = find(key)
      if (value !== undefined) return { value, rest: withPlaceholder(text, first.start, last.end), words: length }
    }
  }
  return null
}

interface NameWord {
  start: number
  end: number
  normalized: string
  /** What is between it and the word before, normalized: a space, or nothing if both are one run of letters. */
  gapBefore: string
}

/** The words of a text, each normalized once: a run of them is put together from these. */
function nameWords(text: string): NameWord[] {
  let end = 0
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const gapBefore = foldName(text.slice(end, index))
    end = index + word.length
    return { start: index, end, normalized: normalizeName(word), gapBefore }
  })
}

/** The first of some names, sorted from the longest, that occurs anywhere in a text without spaces. */
function findInUnspacedText(
  text: string,
  names: readonly (readonly [string, string])[],
  least: number,
): { key: string; rest: string } | null {
  if (!hasUnspacedScript(text)) return null
  const plain = text.normalize('NFKC').toLowerCase()
  const packed = plain.replace(/\s+/gu, '')
  const found = names.find(([name]) => name.length >= least && packed.includes(name))
  if (found === undefined) return null
  const [name, key] = found
  const at = new RegExp([...name].map((letter) => letter.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s*'), 'u').exec(plain)
  return { key, rest: at === null ? text : withPlaceholder(plain, at.index, at.index + at[0].length) }
}

const withPlaceholder = (text: string, from: number, to: number): string => `${text.slice(0, from)} ${NAME_PLACEHOLDER} ${text.slice(to)}`

/** Names are compared without case, accents and punctuation. */
export const normalizeName = (text: string): string => foldName(text).trim()

const foldName = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')

/** Scripts without spaces between words, where a name may stand anywhere in a run of letters. */
export const hasUnspacedScript = (text: string): boolean => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
