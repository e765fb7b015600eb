import { tokenize } from '../../lib/tokenize.js'
import type { Draft } from '../response.js'
import { DEFAULT_LIST, type ListQuery, listPage } from '../retrieve/creation-list.js'
import { textPageCitation } from './citations.js'
import { sentenceSeparator } from './documentation-answer.js'
import type { LiveContext } from './live-answer.js'
import { creationResult } from './results.js'
import { TEMPLATES } from './templates.js'

/** Names in one sentence; more are said only to those who asked for a number. */
const MAX_NAMED = 3

/** A list of creations, as a sentence; or how many there are. */
export async function listAnswer(
  query: ListQuery,
  counting: boolean,
  { models, language, mode, webUrl, categoryName }: LiveContext,
): Promise<Draft | 'nothingFound'> {
  const { page, items, total, heading, countSentence } = await listWithTagVariants(query, { models, language, categoryName })
  if (items.length === 0 && (query.q !== null || total === null || (!counting && total === 0))) return 'nothingFound'
  const voice = TEMPLATES[language]
  const said = items.slice(0, mode === 'generate' && query.limit === DEFAULT_LIST.limit ? MAX_NAMED : items.length)
  const names = said.map((item) => voice.entry(item, query.sort)).join(language === 'ja' ? '、' : ', ')
  const list = names === '' ? '' : language === 'ja' ? `${heading}：${names}。` : `${heading}: ${names}.`
  const sentences = counting && countSentence !== null ? [countSentence, list] : [list, countSentence ?? '']
  return {
    type: 'answer',
    answer: sentences.filter((sentence) => sentence !== '').join(sentenceSeparator(language)),
    citations: [textPageCitation(page, webUrl, said.length + (countSentence === null ? 1 : 2))],
    results: items.map(creationResult),
    position: models.position,
  }
}

/** The list for a tag as it was written or, where nobody uses that, in the other number: "habits" finds "habit". */
async function listWithTagVariants(
  query: ListQuery,
  { models, language, categoryName }: Pick<LiveContext, 'models' | 'language' | 'categoryName'>,
) {
  const asWritten = await listPage(models, query, language, categoryName)
  if (query.tag === null || asWritten.items.length > 0) return asWritten
  for (const tag of [tokenize(query.tag).join(' '), `${query.tag}s`]) {
    const other = await listPage(models, { ...query, tag }, language, categoryName)
    if (other.items.length > 0) return other
  }
  return asWritten
}
