import { tokens } from '../../lib/tokenize.js'
import type { Draft } from '../draft.js'
import { LIST, type ListQuery, listing } from '../retrieve/creation-list.js'
import { cite } from './citations.js'
import { joint } from './documentation-answer.js'
import { VOICES } from './index.js'
import type { Telling } from './live-answer.js'
import { creationResult } from './results.js'

/** Names in one sentence; more are said only to those who asked for a number. */
const SAID = 3

/** A list of creations, as a sentence; or how many there are. */
export async function listAnswer(
  query: ListQuery,
  counting: boolean,
  { models, language, mode, webUrl, categoryName }: Telling,
): Promise<Draft | 'nothingFound'> {
  const { readout, items, total, heading, counted } = await nearestListing(query, { models, language, categoryName })
  if (items.length === 0 && (query.q !== null || total === null || (!counting && total === 0))) return 'nothingFound'
  const voice = VOICES[language]
  const said = items.slice(0, mode === 'generate' && query.limit === LIST.limit ? SAID : items.length)
  const names = said.map((item) => voice.entry(item, query.sort)).join(language === 'ja' ? '、' : ', ')
  const list = names === '' ? '' : language === 'ja' ? `${heading}：${names}。` : `${heading}: ${names}.`
  const sentences = counting && counted !== null ? [counted, list] : [list, counted ?? '']
  return {
    type: 'answer',
    answer: sentences.filter((sentence) => sentence !== '').join(joint(language)),
    citations: [cite(readout, webUrl, said.length + (counted === null ? 1 : 2))],
    results: items.map(creationResult),
    position: models.position,
  }
}

/** The list for a tag as it was written or, where nobody uses that, in the other number: "habits" finds "habit". */
async function nearestListing(query: ListQuery, { models, language, categoryName }: Pick<Telling, 'models' | 'language' | 'categoryName'>) {
  const asWritten = await listing(models, query, language, categoryName)
  if (query.tag === null || asWritten.items.length > 0) return asWritten
  for (const tag of [tokens(query.tag).join(' '), `${query.tag}s`]) {
    const other = await listing(models, { ...query, tag }, language, categoryName)
    if (other.items.length > 0) return other
  }
  return asWritten
}
