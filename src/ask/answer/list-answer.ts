import { tokenize } from '../../lib/tokenize.js'
import { listSentence, sentenceSeparator } from '../languages.js'
import type { Draft } from '../response.js'
import { DEFAULT_LIST, type ListQuery } from '../retrieve/creation-list.js'
import { type LiveContext, liveDraft } from './citations.js'
import { creationResult } from './results.js'
import { REPLIES, TEMPLATES } from './templates.js'
import { type ListPage, listPage } from './text-pages.js'

/** Names in one sentence, unless the question asks for a number of them. */
const MAX_NAMED = 3

/** A list of creations as a sentence, or how many there are. */
export async function listAnswer(query: ListQuery, counting: boolean, context: LiveContext): Promise<Draft | 'nothingFound'> {
  return listDraft(query, await listWithTagVariants(query, context), counting, context)
}

/** The same for a list that is read already. */
export function listDraft(
  query: ListQuery,
  { page, items, matches, total, heading, countSentence }: ListPage,
  counting: boolean,
  context: LiveContext,
): Draft | 'nothingFound' {
  const { language, mode } = context
  if (items.length === 0 && (query.q !== null || total === null || (!counting && total === 0))) return 'nothingFound'
  const voice = TEMPLATES[language]
  const named = items.slice(0, mode === 'generate' && query.limit === DEFAULT_LIST.limit ? MAX_NAMED : items.length)
  const { sort } = query
  const entries = named.map((item, at) => (sort === 'relevance' ? voice.match(item, matches[at]?.found ?? []) : voice.entry(item, sort)))
  const list = entries.length === 0 ? '' : listSentence(heading, entries, language)
  const sentences = counting && countSentence !== null ? [countSentence, list] : [list, countSentence ?? '']
  const answer = sentences.filter((sentence) => sentence !== '').join(sentenceSeparator(language))
  return liveDraft(answer, { page, used: named.length + (countSentence === null ? 1 : 2) }, items.map(creationResult), context)
}

/** Creations that are no answer, but come nearest to one. */
export function nearestDraft({ query, list }: { query: ListQuery; list: ListPage }, context: LiveContext): Draft | null {
  const draft = listDraft(query, { ...list, heading: REPLIES[context.language].nearest }, false, context)
  return draft === 'nothingFound' ? null : draft
}

/** The list for a tag as written or, if no creation has it, in the other number: "habits" finds "habit". */
async function listWithTagVariants(query: ListQuery, context: LiveContext): Promise<ListPage> {
  const asWritten = await listPage(query, context)
  if (query.tag === null || asWritten.items.length > 0) return asWritten
  for (const tag of [tokenize(query.tag).join(' '), `${query.tag}s`]) {
    const other = await listPage({ ...query, tag }, context)
    if (other.items.length > 0) return other
  }
  return asWritten
}
