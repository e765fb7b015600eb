import type { Item } from '../../readmodels/feed/documents.js'
import { deletionsOf } from '../../readmodels/feed/search/deletions.js'
import { type NamesDoc, TAG, type TermsDoc, TITLE, type WordDoc } from '../../readmodels/feed/search/documents.js'
import { formsIn } from '../../readmodels/feed/search/stems.js'
import { tokenize, words } from '../../src/lib/tokenize.js'

/** Bounds the index for long texts in many languages. */
const MAX_TERMS = 600
const MAX_RANKED = 200

type Texts = Pick<Item, 'title' | 'description' | 'tags'>

export const termsDoc = (creation: Texts & Pick<Item, 'quality' | 'kind' | 'featured' | 'category'>): Omit<TermsDoc, '_id'> => ({
  terms: searchTerms(creation),
  ranked: rankedTerms(creation),
  quality: creation.quality,
  kind: creation.kind,
  featured: creation.featured,
  category: creation.category,
  tags: creation.tags,
})

/** The distinct search terms of a creation: titles and descriptions in every language, and tags. Sorted, so that equal texts give equal documents. */
function searchTerms({ title, description, tags }: Texts): string[] {
  const found: string[] = []
  for (const text of [...Object.values(title), ...tags, ...Object.values(description)]) found.push(...tokenize(text))
  // Sorting finds duplicates faster than a set, but loses the order that decides which terms to keep.
  if (found.length > MAX_TERMS) return [...new Set(found)].slice(0, MAX_TERMS).sort()
  return found.sort().filter((term, i) => term !== found[i - 1])
}

/** The forms of the words in titles and tags, each behind its field. Tags are taken for words of the languages that the titles have. */
function rankedTerms({ title, tags }: Pick<Texts, 'title' | 'tags'>): string[] {
  const found = new Set<string>()
  const add = (field: string, language: string, text: string) => {
    for (const word of words(text)) for (const form of formsIn(language, word)) found.add(field + form)
  }
  for (const [locale, text] of Object.entries(title)) {
    const language = languageOf(locale)
    add(TITLE, language, text)
    for (const tag of tags) add(TAG, language, tag)
  }
  return [...found].slice(0, MAX_RANKED).sort()
}

const languageOf = (locale: string): string => locale.split('-', 1)[0]?.toLowerCase() ?? ''

/** The forms in titles and tags, for the counts of words. */
export const rankedForms = (texts: Pick<Texts, 'title' | 'tags'>): string[] => [
  ...new Set(rankedTerms(texts).map((term) => term.slice(TITLE.length))),
]

export const wordDoc = (word: string, count: number): Omit<WordDoc, '_id'> => ({
  count,
  bits: 32 - Math.clz32(count),
  deletions: deletionsOf(word),
})

/** Longer names have words beyond these that nobody types. */
const MAX_NAME_WORDS = 12

/** A handle is found as a whole and by its words. */
export function namesDoc(displayName: string, handle: string): Omit<NamesDoc, '_id'> {
  const found = [...new Set([...words(handle), words(handle).join(''), ...words(displayName)])].filter(({ length }) => length > 0)
  const kept = found.slice(0, MAX_NAME_WORDS).sort()
  return { words: kept, deletions: [...new Set(kept.flatMap(deletionsOf))].sort() }
}
