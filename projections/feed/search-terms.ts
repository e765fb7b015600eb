import type { Item } from '../../readmodels/feed/documents.js'
import { tokenize } from '../../src/lib/tokenize.js'

/** Bounds the index for long texts in many languages. */
const MAX_TERMS = 600

/** The distinct search terms of a creation: titles and descriptions in every language, and tags. Sorted, so that equal texts give equal documents. */
export function searchTerms({ title, description, tags }: Pick<Item, 'title' | 'description' | 'tags'>): string[] {
  const found: string[] = []
  for (const text of [...Object.values(title), ...tags, ...Object.values(description)]) found.push(...tokenize(text))
  // Sorting finds duplicates faster than a set, but loses the order that decides which terms to keep.
  if (found.length > MAX_TERMS) return [...new Set(found)].slice(0, MAX_TERMS).sort()
  return found.sort().filter((term, i) => term !== found[i - 1])
}
