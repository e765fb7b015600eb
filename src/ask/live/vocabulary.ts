import { tagKey } from '../../../readmodels/tag-key.js'
import { tokens } from '../../../readmodels/tokens.js'
import { likeness, SLIP } from '../retrieval/likeness.js'

/** What there is to be named in a question right now. */
export interface Vocabulary {
  tags: readonly { key: string; label: string }[]
  /** Label in the language of the question, and in English. */
  categories: readonly { slug: string; names: readonly string[] }[]
  /** Creators on the landing page, whom people may call by name. */
  creators: readonly { handle: string; displayName: string }[]
}

const folded = (text: string): string => tokens(text).join(' ')

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

/** The category that is called exactly this, in full or in part. */
export function categoryNamed(words: string, { categories }: Vocabulary): string | null {
  return categories.find(({ slug, names }) => slug === words || names.some((name) => partsOf(name).includes(folded(words))))?.slug ?? null
}

export function handleOf(name: string, { creators }: Vocabulary): string | null {
  const wanted = folded(name)
  return creators.find(({ displayName }) => wanted !== '' && folded(displayName) === wanted)?.handle ?? null
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
