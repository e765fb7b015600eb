/** Creators whose names or handles a search holds. */
import { words } from '../../../src/lib/tokenize.js'
import type { Reads } from '../../../src/ports/document-store.js'
import type { FeedCreatorCard } from '../documents.js'
import { cardsOf } from '../queries.js'
import { creatorNames, type NamesDoc } from './documents.js'
import { MAX_WORDS, type SearchText } from './query.js'
import { nearest, nearWords } from './spelling.js'
import { withoutStopWords } from './stop-words.js'

const MAX_CREATORS = 5
/** Of one word: a first name may be that of many. */
const MAX_NAMESAKES = 100
/** Shorter words are parts of handles, such as "my". */
const MIN_LETTERS = 2

/** Those who are called by all the words, or whose whole name is among them; the most words first. */
export async function creatorsFor(reads: Reads, { q, locale }: Pick<SearchText, 'q' | 'locale'>): Promise<FeedCreatorCard[]> {
  const all = [...new Set(words(q))].slice(0, MAX_WORDS)
  const typed = withoutStopWords(all, locale).filter(({ length }) => length >= MIN_LETTERS)
  const whole = words(q).join('')
  const exact = await calledBy(reads, new Set([...typed, whole]))
  const found = byNames(exact, typed, whole)
  const near = found.length > 0 ? [] : await nearlyCalled(reads, typed)
  const ids = (found.length > 0 ? found : near).slice(0, MAX_CREATORS).map(({ _id }) => _id)
  const cards = await cardsOf(reads, ids)
  return ids.flatMap((id) => cards.get(id) ?? [])
}

async function calledBy(reads: Reads, wanted: ReadonlySet<string>): Promise<NamesDoc[]> {
  const lists = await Promise.all(
    [...wanted].map((word) => reads.ids(creatorNames, { index: 'byWord', equals: [word], limit: MAX_NAMESAKES })),
  )
  const found = await reads.get(creatorNames, [...new Set(lists.flat())])
  return found.filter((doc) => doc !== undefined)
}

function byNames(creators: readonly NamesDoc[], typed: readonly string[], whole: string): NamesDoc[] {
  const known = (doc: NamesDoc) => typed.filter((word) => doc.words.includes(word)).length
  return creators
    .filter((doc) => doc.words.includes(whole) || (typed.length > 0 && known(doc) === typed.length) || known(doc) >= 2)
    .map((doc) => ({ doc, rank: (doc.words.includes(whole) ? MAX_WORDS : 0) + known(doc) }))
    .sort((a, b) => b.rank - a.rank || (a.doc._id < b.doc._id ? -1 : 1))
    .map(({ doc }) => doc)
}

/** Who has names like all the words. */
async function nearlyCalled(reads: Reads, typed: readonly string[]): Promise<NamesDoc[]> {
  if (typed.length === 0 || typed.length > 3) return []
  const near = await Promise.all(typed.map((word) => nearWords(reads, creatorNames, word, 'byWord')))
  const isNear = (doc: NamesDoc) =>
    typed.every(
      (word) =>
        doc.words.includes(word) ||
        nearest(
          word,
          doc.words.map((own) => ({ word: own, uses: 1 })),
        ).length > 0,
    )
  return [...new Map(near.flat().map((doc) => [doc._id, doc])).values()].filter(isNear).sort((a, b) => (a._id < b._id ? -1 : 1))
}
