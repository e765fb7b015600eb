import { getCategories } from '../../../readmodels/landing/unlisted-reads.js'
import { type Language, listSentence } from '../languages.js'
import { PATTERNS } from '../parse/patterns.js'
import { kindWithin, type Slots } from '../parse/slots.js'
import { searchWords } from '../parse/terms.js'
import { categoryByName, type Vocabulary } from '../parse/vocabulary.js'
import type { Draft, NotFoundReason, Result } from '../response.js'
import { DEFAULT_LIST, type ListQuery } from '../retrieve/creation-list.js'
import { type LiveContext, liveDraft, type TextPage, textPagePath } from './citations.js'
import { creationAnswer } from './creation-answer.js'
import { creatorAnswer } from './creator-answer.js'
import { listAnswer } from './list-answer.js'
import { termResult } from './results.js'
import { categoriesPage, tagsPage } from './text-pages.js'

/** Answers a parsed question from the read models; null if these slots are no question for them. */
export async function liveAnswer(slots: Slots, context: LiveContext): Promise<Draft | NotFoundReason | null> {
  if (slots.handle !== null && slots.slug !== null) return creationAnswer(slots.handle, slots.slug, slots.intent, context)
  if (slots.handle !== null) return creatorAnswer(slots.handle, slots, context)
  if (slots.intent === 'tags' && slots.tag === null) return tagsAnswer(context)
  if (slots.intent === 'categories' && slots.category === null) return categoriesAnswer(context)
  const query = toListQuery(slots)
  return query === null ? null : listAnswer(query, slots.intent === 'count', context)
}

function toListQuery({ intent, sort, kind, category, tag, featured, remixed, limit }: Slots): ListQuery | null {
  const narrowed = kind !== null || category !== null || tag !== null || featured || remixed
  if (sort === null && !narrowed && intent !== 'count') return null
  const order = sort ?? (remixed ? 'recent' : 'trending')
  return { ...DEFAULT_LIST, sort: order, kind, category, tag, featured, remixed, limit: Math.min(24, limit ?? DEFAULT_LIST.limit) }
}

const MAX_TAGS = 10

function tagsAnswer(context: LiveContext): Draft {
  const { popularTags: tags, language, webUrl } = context
  const results = tags.items
    .slice(0, MAX_TAGS)
    .map(({ key, label }) => termResult(label, webUrl + textPagePath('community', { sort: 'trending', tag: key, locale: language })))
  return termsAnswer(tagsPage(tags, language), results, context)
}

async function categoriesAnswer(context: LiveContext): Promise<Draft> {
  const { models, language, webUrl } = context
  const tiles = await models.read(getCategories, {})
  const results = tiles.categories.map(({ slug, label }) =>
    termResult(label, webUrl + textPagePath('community', { sort: 'trending', category: slug, locale: language })),
  )
  return termsAnswer(categoriesPage(tiles, language), results, context)
}

/** The heading of the page and one line per result, as a sentence. */
function termsAnswer(page: TextPage, results: Result[], context: LiveContext): Draft {
  const [head = '', ...lines] = page.lines
  const answer = results.length === 0 ? head : listSentence(head, lines.slice(0, results.length), context.language)
  return liveDraft(answer, { page, used: results.length + 1 }, results, context)
}

/** Searches for the words of a question that names no category, tag or creator; null if no words are left. */
export async function searchAnswer(
  text: string,
  slots: Slots,
  context: LiveContext,
  vocabulary: Vocabulary,
): Promise<Draft | NotFoundReason | null> {
  if (!asksToSearch(text, slots, context.questionLanguage)) return null
  const words = searchWords(text, context.questionLanguage)
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
  const q = words.filter((word) => word !== place).join(' ') || null
  return listAnswer({ ...query, category: categoryByName(place, vocabulary), q }, counting, context)
}

/** Whether a question asks for something to be found, and does not say where. */
export function asksToSearch(
  text: string,
  { intent, sort, kind, handle, tag, category, featured, remixed }: Slots,
  language: Language,
): boolean {
  if (handle !== null || tag !== null || category !== null) return false
  if (intent !== null && intent !== 'count' && intent !== 'made' && intent !== 'remixes') return false
  return sort !== null || kind !== null || featured || remixed || intent === 'count' || PATTERNS[language].search.test(text.toLowerCase())
}
