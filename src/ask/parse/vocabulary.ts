import { tagKey } from '../../../readmodels/tags/tag-key.js'
import { tokenize } from '../../lib/tokenize.js'
import { similarity, TYPO_SIMILARITY } from './similarity.js'

/** The tags and categories that exist now, which a question may name. */
export interface Vocabulary {
  tags: readonly { key: string; label: string }[]
  /** Label in the language of the question, and in English. */
  categories: readonly { slug: string; names: readonly string[] }[]
}

/** Every question is compared with every tag, so normalized texts are cached; bounded, because questions may contain anything. */
const MAX_CACHED = 5000
const normalizedCache = new Map<string, string>()

export const clearNormalizedTexts = (): void => normalizedCache.clear()

function normalized(text: string): string {
  const known = normalizedCache.get(text)
  if (known !== undefined) return known
  if (normalizedCache.size >= MAX_CACHED) normalizedCache.clear()
  const fresh = tokenize(text).join(' ')
  normalizedCache.set(text, fresh)
  return fresh
}

/** The longest tag at the start of some words: as written, in another number, or with a typo. */
export function matchTag(words: readonly string[], { tags }: Vocabulary): string | null {
  return longestPrefixMatch(words, (phrase) => {
    const key = tagKey(phrase)
    const same = tags.find((tag) => tag.key === key) ?? tags.find((tag) => normalized(tag.label) === normalized(phrase))
    return (same ?? fuzzyMatch(phrase, tags, ({ label }) => [label]))?.key ?? null
  })
}

/** The category at the start of some words, by its slug or a part of its name ("Games" of "Games & Puzzles"). */
export function matchCategory(words: readonly string[], { categories }: Vocabulary): string | null {
  return longestPrefixMatch(words, (phrase) => {
    const wanted = normalized(phrase)
    if (wanted === '') return null
    const named = categories.find(({ slug, names }) => slug === phrase || names.some((name) => nameParts(name).includes(wanted)))
    return (named ?? fuzzyMatch(phrase, categories, ({ slug, names }) => [slug, ...names.flatMap(nameParts)]))?.slug ?? null
  })
}

/** The category whose full name is in a question: "Work & Money: what is new?" */
export function matchFullCategoryName(text: string, { categories }: Vocabulary): string | null {
  const words = ` ${normalized(text)} `
  const isThere = (name: string) => normalized(name).includes(' ') && words.includes(` ${normalized(name)} `)
  return categories.find(({ names }) => names.some(isThere))?.slug ?? null
}

/** The category of this name, in full or in part, in any form of the word ("Reise" of "Reisen & Orte"). */
export function categoryByName(words: string, { categories }: Vocabulary): string | null {
  const wanted = normalized(words)
  if (wanted === '') return null
  const fits = (name: string) => name === wanted || (wanted.length > 4 && similarity(wanted, name) > TYPO_SIMILARITY)
  return categories.find(({ slug, names }) => slug === words || names.flatMap(nameParts).some(fits))?.slug ?? null
}

function longestPrefixMatch(words: readonly string[], find: (phrase: string) => string | null): string | null {
  for (let length = Math.min(3, words.length); length > 0; length -= 1) {
    const found = find(words.slice(0, length).join(' '))
    if (found !== null) return found
  }
  return null
}

const nameParts = (name: string): string[] =>
  [name, ...name.split(/\s*(?:&|・|\s(?:y|e|und|and)\s)\s*/)].map(normalized).filter((part) => part !== '')

function fuzzyMatch<T>(phrase: string, list: readonly T[], names: (entry: T) => readonly string[]): T | undefined {
  const wanted = normalized(phrase)
  if (wanted.length < 5) return undefined
  return list.find((entry) => names(entry).some((name) => similarity(wanted, normalized(name)) >= TYPO_SIMILARITY))
}
