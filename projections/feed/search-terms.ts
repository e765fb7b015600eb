import type { Item } from '../../readmodels/feed/documents.js'
import { type NamesDoc, TAG, type TermsDoc, TITLE, type WordDoc } from '../../readmodels/feed/search/documents.js'
import { deletionsOf } from '../../readmodels/feed/search/spelling.js'
import { formsIn } from '../../readmodels/feed/search/stems.js'
import { tokenize, words } from '../../src/lib/tokenize.js'

/** Bounds the index for long texts in many languages. */
const MAX_TERMS = 600
const MAX_RANKED = 200

type Texts = Pick<Item, 'title' | 'description' | 'tags'>

export const termsDoc = (creation: Texts & Pick<Item, 'quality' | 'kind' | 'featured' | 'category'>): Omit<TermsDoc, '_id'> => ({
  terms: searchTerms(creation),
  ranked: rankedIn(creation).terms,
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

interface Ranked {
  tags: readonly string[]
  /** The forms of the words in titles and tags, each behind its field. */
  terms: string[]
  /** Without the fields. */
  forms: string[]
}

/** By the object of a title, which stays the same until the title changes: a fold asks several times, and stemming is slow. */
const known = new WeakMap<Texts['title'], Ranked>()

/** Tags are taken for words of the languages that the titles have. */
function rankedIn({ title, tags }: Pick<Texts, 'title' | 'tags'>): Ranked {
  const last = known.get(title)
  if (last !== undefined && last.tags.length === tags.length && tags.every((tag, i) => tag === last.tags[i])) return last
  const terms: string[] = []
  const titled = new Set<string>()
  const tagged = new Set<string>()
  const add = (field: string, forms: Set<string>, language: string, word: string) => {
    for (const form of formsIn(language, word)) {
      if (forms.has(form) || terms.length === MAX_RANKED) continue
      forms.add(form)
      terms.push(field + form)
    }
  }
  const tagWords = tags.flatMap(words)
  for (const [locale, text] of Object.entries(title)) {
    const language = languageOf(locale)
    for (const word of words(text)) add(TITLE, titled, language, word)
    for (const word of tagWords) add(TAG, tagged, language, word)
  }
  const ranked = { tags, terms: terms.sort(), forms: [...new Set([...titled, ...tagged])] }
  known.set(title, ranked)
  return ranked
}

const languageOf = (locale: string): string => locale.split('-', 1)[0]?.toLowerCase() ?? ''

/** The forms in titles and tags, for the counts of words. */
export const rankedForms = (texts: Pick<Texts, 'title' | 'tags'>): readonly string[] => rankedIn(texts).forms

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
