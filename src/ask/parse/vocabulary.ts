import { tagKey } from '../../../readmodels/tags/tag-key.js'
import { tokens } from '../../lib/tokenize.js'
import { likeness, SLIP } from './similarity.js'

/** What there is to be named in a question right now. */
export interface Vocabulary {
  tags: readonly { key: string; label: string }[]
  /** Label in the language of the question, and in English. */
  categories: readonly { slug: string; names: readonly string[] }[]
}

/** Every question is held against every tag: what they fold to is remembered, bounded, because people may ask with anything. */
const REMEMBERED = 5000
const remembered = new Map<string, string>()

function folded(text: string): string {
  const known = remembered.get(text)
  if (known !== undefined) return known
  if (remembered.size >= REMEMBERED) remembered.clear()
  const fresh = tokens(text).join(' ')
  remembered.set(text, fresh)
  return fresh
}

/** The tag that some words begin with: the longest one, as written, in another number, or with a slip of the finger. */
export function tagIn(words: readonly string[], { tags }: Vocabulary): string | null {
  return longest(words, (phrase) => {
    const key = tagKey(phrase)
    const same = tags.find((tag) => tag.key === key) ?? tags.find((tag) => folded(tag.label) === folded(phrase))
    return (same ?? slip(phrase, tags, ({ label }) => [label]))?.key ?? null
  })
}

/** The category that some words begin with, by its address or any part of its name ("Games" of "Games & Puzzles"). */
export function categoryIn(words: readonly string[], { categories }: Vocabulary): string | null {
  return longest(words, (phrase) => {
    const wanted = folded(phrase)
    if (wanted === '') return null
    const named = categories.find(({ slug, names }) => slug === phrase || names.some((name) => partsOf(name).includes(wanted)))
    return (named ?? slip(phrase, categories, ({ slug, names }) => [slug, ...names.flatMap(partsOf)]))?.slug ?? null
  })
}

/** The category whose whole name stands in a question ("Work & Money: what is new?"), which then means nothing else. */
export function categoryInFull(text: string, { categories }: Vocabulary): string | null {
  const words = ` ${folded(text)} `
  const isThere = (name: string) => folded(name).includes(' ') && words.includes(` ${folded(name)} `)
  return categories.find(({ names }) => names.some(isThere))?.slug ?? null
}

/** The category that is called this, in full or in part, in any form of the word ("Reise" of "Reisen & Orte"). */
export function categoryNamed(words: string, { categories }: Vocabulary): string | null {
  const wanted = folded(words)
  if (wanted === '') return null
  const fits = (name: string) => name === wanted || (wanted.length > 4 && likeness(wanted, name) > SLIP)
  return categories.find(({ slug, names }) => slug === words || names.flatMap(partsOf).some(fits))?.slug ?? null
}

function longest(words: readonly string[], find: (phrase: string) => string | null): string | null {
  for (let length = Math.min(3, words.length); length > 0; length -= 1) {
    const found = find(words.slice(0, length).join(' '))
    if (found !== null) return found
  }
  return null
}

const partsOf = (name: string): string[] =>
  [name, ...name.split(/\s*(?:&|・|\s(?:y|e|und|and)\s)\s*/)].map(folded).filter((part) => part !== '')

function slip<T>(phrase: string, list: readonly T[], names: (entry: T) => readonly string[]): T | undefined {
  const wanted = folded(phrase)
  if (wanted.length < 5) return undefined
  return list.find((entry) => names(entry).some((name) => likeness(wanted, folded(name)) >= SLIP))
}
