import type { Language } from '../languages.js'
import { PATTERNS } from '../parse/patterns.js'
import { searchWords } from '../parse/search-words.js'
import { kindWithin, type Slots } from '../parse/slots.js'
import { categoryByName, type Vocabulary } from '../parse/vocabulary.js'
import type { Draft, NotFoundReason } from '../response.js'
import { DEFAULT_LIST, type ListQuery } from '../retrieve/creation-list.js'
import type { LiveContext } from '../retrieve/live-context.js'
import { listAnswer } from './list-answer.js'
import { liveAnswer } from './live-answer.js'

/** Searches for the words of a question that names no category, tag or creator; null if no words are left. */
export async function searchAnswer(
  text: string,
  slots: Slots,
  context: LiveContext,
  vocabulary: Vocabulary,
): Promise<Draft | NotFoundReason | null> {
  if (!asksToSearch(text, slots, context.language)) return null
  const words = searchWords(text, context.language)
  if (words.length === 0) return null
  const { kind, featured, remixed, limit } = slots
  const query: ListQuery = { ...DEFAULT_LIST, kind, featured, remixed, sort: slots.sort ?? 'liked', limit: limit ?? DEFAULT_LIST.limit }
  const counting = slots.intent === 'count'
  const category = categoryByName(words.join(' '), vocabulary)
  if (category !== null) return liveAnswer({ ...slots, category, kind: kindWithin(category, kind) }, context)
  const found = await listAnswer({ ...query, q: words.join(' ') }, counting, context)
  if (found !== 'nothingFound') return found
  // "Jazz in the music section": one of the words may be a category.
  const place = words.find((word) => categoryByName(word, vocabulary) !== null)
  if (place === undefined) return found
  const others = words.filter((word) => word !== place)
  return listAnswer(
    { ...query, category: categoryByName(place, vocabulary), q: others.length === 0 ? null : others.join(' ') },
    counting,
    context,
  )
}

/** Whether a question asks for something to be found, and does not say where. */
function asksToSearch(text: string, { intent, sort, kind, handle, tag, category, featured, remixed }: Slots, language: Language): boolean {
  if (handle !== null || tag !== null || category !== null) return false
  if (intent !== null && intent !== 'count' && intent !== 'made' && intent !== 'remixes') return false
  return sort !== null || kind !== null || featured || remixed || intent === 'count' || PATTERNS[language].search.test(text.toLowerCase())
}
