import { tagKey } from '../../../readmodels/tags/tag-key.js'
import { tokenize } from '../../lib/tokenize.js'
import { similarity, TYPO_SIMILARITY } from './similarity.js'

/** The tags and categories that exist now, which a question may name. */
export interface Vocabulary {
  tags: readonly { key: string; label: string }[]
  /** Label in the language of the question, and in English. */
  categories: readonly { slug: string; names: readonly string[] }[]
}

const normalized = (text: string): string => tokenize(text).join(' ')

type Tag = Vocabulary['tags'][number]
type Category = Vocabulary['categories'][number]

/** Every question is compared with every tag and category, so what is made of one is kept as long as it exists. */
function kept<T extends object>(make: (entry: T) => readonly string[]): (entry: T) => readonly string[] {
  const made = new WeakMap<T, readonly string[]>()
  return (entry) => {
    const known = made.get(entry) ?? make(entry)
    made.set(entry, known)
    return known
  }
}

const tagNames = kept(({ label }: Tag) => [normalized(label)])
const fullNames = kept(({ names }: Category) => names.map(normalized))
/** Names and their parts: "Games & Puzzles", "Games", "Puzzles". */
const nameParts = kept(({ names }: Category) => names.flatMap(partsOf))
const slugAndNameParts = kept((category: Category) => [normalized(category.slug), ...nameParts(category)])

/** The longest tag at the start of some words: as written, in another number, or with a typo. */
export function matchTag(words: readonly string[], { tags }: Vocabulary): string | null {
  return longestPrefixMatch(words, (phrase) => {
    const key = tagKey(phrase)
    const wanted = normalized(phrase)
    const same = tags.find((tag) => tag.key === key) ?? tags.find((tag) => tagNames(tag).includes(wanted))
    return (same ?? fuzzyMatch(wanted, tags, tagNames))?.key ?? null
  })
}

/** The category at the start of some words, by its slug or a part of its name ("Games" of "Games & Puzzles"). */
export function matchCategory(words: readonly string[], { categories }: Vocabulary): string | null {
  return longestPrefixMatch(words, (phrase) => {
    const wanted = normalized(phrase)
    if (wanted === '') return null
    const named = categories.find((category) => category.slug === phrase || nameParts(category).includes(wanted))
    return (named ?? fuzzyMatch(wanted, categories, slugAndNameParts))?.slug ?? null
  })
}

/** The category whose full name is in a question: "Work & Money: what is new?" */
export function matchFullCategoryName(text: string, { categories }: Vocabulary): string | null {
  const words = ` ${normalized(text)} `
  const isThere = (name: string) => name.includes(' ') && words.includes(` ${name} `)
  return categories.find((category) => fullNames(category).some(isThere))?.slug ?? null
}

/** The category of this name, in full or in part, in any form of the word ("Reise" of "Reisen & Orte"). */
export function categoryByName(words: string, { categories }: Vocabulary): string | null {
  const wanted = normalized(words)
  if (wanted === '') return null
  const fits = (name: string) => name === wanted || (wanted.length > 4 && similarity(wanted, name) > TYPO_SIMILARITY)
  return categories.find((category) => category.slug === words || nameParts(category).some(fits))?.slug ?? null
}

/** Whether some words are the name of a category, or a part of it, and nothing else. */
export function isCategoryName(words: string, { categories }: Vocabulary): boolean {
  const wanted = normalized(words)
  return categories.some((category) =>
    slugAndNameParts(category).some((name) => name === wanted || normalized(name.replace(/ y | und | and /, ' ')) === wanted),
  )
}

function longestPrefixMatch(words: readonly string[], find: (phrase: string) => string | null): string | null {
  for (let length = Math.min(3, words.length); length > 0; length -= 1) {
    const found = find(words.slice(0, length).join(' '))
    if (found !== null) return found
  }
  return null
}

function partsOf(name: string): string[] {
  return [name, ...name.split(/\s*(?:&|・|\s(?:y|e|und|and)\s)\s*/)].map(normalized).filter((part) => part !== '')
}

/** `wanted` and the names are normalized. */
function fuzzyMatch<T>(wanted: string, list: readonly T[], names: (entry: T) => readonly string[]): T | undefined {
  if (wanted.length < 5) return undefined
  return list.find((entry) => names(entry).some((name) => similarity(wanted, name) >= TYPO_SIMILARITY))
}
