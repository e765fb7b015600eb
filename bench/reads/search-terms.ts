import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { tokenize } from '../../src/lib/tokenize.js'
import { WORDS, wordOf } from '../community/coined-words.js'
import { FOLDED } from '../community/index.js'

export const KINDS_OF_SEARCH = ['rare', 'common', 'two words'] as const
export type Searches = Record<(typeof KINDS_OF_SEARCH)[number], string[]>

const EACH = 5
/** How many a rare word finds, about. */
const FEW = 30
/** Of all creations. */
const COMMON = 0.08

/** What to search for: coined words for rare ones, and those of the folded community's that so many creations have. */
export function searchesIn(feed: string, creations: number): Searches {
  const db = openDatabase(feed)
  const docs = db.prepare<[string]>("SELECT doc FROM terms WHERE id NOT GLOB '*x[0-9]*'").all()
  db.close()
  const lists = docs.map(([doc]) => (JSON.parse(doc) as { terms: string[] }).terms)
  const often = new Map<string, number>()
  for (const term of lists.flat()) often.set(term, (often.get(term) ?? 0) + 1)
  // As they are written, and nothing that the search would take apart or change.
  const words = [...often].filter(([term]) => /^[a-z]{4,}$/.test(term) && tokenize(term)[0] === term)
  const common = words
    .map(([term, count]) => ({ term, off: Math.abs(count / lists.length - COMMON) }))
    .toSorted((a, b) => a.off - b.off || (a.term < b.term ? -1 : 1))
    .slice(0, EACH)
    .map(({ term }) => term)
  const rank = Math.max(1, Math.round((creations - FOLDED) / (Math.log(WORDS) * FEW)))
  return {
    rare: Array.from({ length: EACH }, (_, i) => wordOf(rank + i)),
    common,
    'two words': common.map((word) => `${companion(word, lists, often)} ${word}`),
  }
}

/** The word that most often stands beside it, of those that are not nearly everywhere. */
function companion(word: string, lists: readonly string[][], often: ReadonlyMap<string, number>): string {
  const beside = new Map<string, number>()
  for (const terms of lists) {
    if (!terms.includes(word)) continue
    for (const term of terms) if (/^[a-z]{4,}$/.test(term) && term !== word) beside.set(term, (beside.get(term) ?? 0) + 1)
  }
  const [first] = [...beside]
    .filter(([term]) => tokenize(term)[0] === term && (often.get(term) ?? 0) < lists.length / 4)
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return first?.[0] ?? word
}
