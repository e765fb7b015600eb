/** Questions for something that nobody has given a place: what is left of their words is searched for. */

import type { Language } from '../languages.js'
import { PATTERNS } from '../parse/patterns.js'
import { searchWords } from '../parse/search-words.js'
import type { Slots } from '../parse/slots.js'
import { categoryByName, type Vocabulary } from '../parse/vocabulary.js'
import type { Draft } from '../response.js'
import { DEFAULT_LIST, type ListQuery } from '../retrieve/creation-list.js'
import { listAnswer } from './list-answer.js'
import { type LiveContext, liveAnswer } from './live-answer.js'

/** Null: there is nothing to search for. */
export async function searchAnswer(
  text: string,
  slots: Slots,
  telling: LiveContext,
  vocabulary: Vocabulary,
): Promise<Draft | 'noCreator' | 'noCreation' | 'nothingFound' | null> {
  if (!asksToSearch(text, slots, telling.language)) return null
  const words = searchWords(text, telling.language)
  if (words.length === 0) return null
  const { kind, featured, remixed, limit } = slots
  const query: ListQuery = { ...DEFAULT_LIST, kind, featured, remixed, sort: slots.sort ?? 'liked', limit: limit ?? DEFAULT_LIST.limit }
  const counting = slots.intent === 'count'
  const category = categoryByName(words.join(' '), vocabulary)
  if (category !== null) return liveAnswer({ ...slots, category, kind: kind === 'game' && category === 'games' ? null : kind }, telling)
  const found = await listAnswer({ ...query, q: words.join(' ') }, counting, telling)
  if (found !== 'nothingFound') return found
  // "Jazz in the music section": the place may stand among the words.
  const place = words.find((word) => categoryByName(word, vocabulary) !== null)
  if (place === undefined) return found
  const others = words.filter((word) => word !== place)
  return listAnswer(
    { ...query, category: categoryByName(place, vocabulary), q: others.length === 0 ? null : others.join(' ') },
    counting,
    telling,
  )
}

/** Whether what is left of a question is something to look for, because nothing in it says where to look. */
function asksToSearch(text: string, { intent, sort, kind, handle, tag, category, featured, remixed }: Slots, language: Language): boolean {
  if (handle !== null || tag !== null || category !== null) return false
  if (intent !== null && intent !== 'count' && intent !== 'made' && intent !== 'remixes') return false
  return sort !== null || kind !== null || featured || remixed || intent === 'count' || PATTERNS[language].search.test(text.toLowerCase())
}
