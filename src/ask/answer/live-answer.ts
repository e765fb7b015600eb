import { getCommunityLanding } from '../../../readmodels/landing/public-reads.js'
import { getPopularTags } from '../../../readmodels/tags/public-reads.js'
import type { ReadSession } from '../../operations/read-session.js'
import type { Language } from '../languages.js'
import type { Slots } from '../parse/slots.js'
import type { Mode } from '../request.js'
import type { Draft } from '../response.js'
import { DEFAULT_LIST, type ListQuery } from '../retrieve/creation-list.js'
import { textPageCitation, textPagePath } from './citations.js'
import { creationAnswer, creatorAnswer } from './creator-answer.js'
import { listAnswer } from './list-answer.js'
import { termResult } from './results.js'
import { categoriesPage, tagsPage } from './text-pages.js'

/** What an answer is made with. */
export interface LiveContext {
  models: ReadSession
  language: Language
  mode: Mode
  webUrl: string
  categoryName: (slug: string) => string
}

/** Answers a question that was taken apart. Null: these slots are no question the models can answer. */
export async function liveAnswer(slots: Slots, telling: LiveContext): Promise<Draft | 'noCreator' | 'noCreation' | 'nothingFound' | null> {
  if (slots.handle !== null && slots.slug !== null) return creationAnswer(slots.handle, slots.slug, slots.intent, telling)
  if (slots.handle !== null) return creatorAnswer(slots.handle, slots, telling)
  if (slots.intent === 'tags' && slots.tag === null) return tagsAnswer(telling)
  if (slots.intent === 'categories' && slots.category === null) return categoriesAnswer(telling)
  const query = toListQuery(slots)
  return query === null ? null : listAnswer(query, slots.intent === 'count', telling)
}

function toListQuery({ intent, sort, kind, category, tag, q, featured, remixed, limit }: Slots): ListQuery | null {
  const narrowed = kind !== null || category !== null || tag !== null || q !== null || featured || remixed
  if (sort === null && !narrowed && intent !== 'count') return null
  const order = sort ?? (remixed ? 'recent' : q === null ? 'trending' : 'liked')
  return { sort: order, kind, category, tag, q, featured, remixed, creator: null, limit: Math.min(24, limit ?? DEFAULT_LIST.limit) }
}

const MAX_TAGS = 10

async function tagsAnswer({ models, language, webUrl }: LiveContext): Promise<Draft> {
  const tags = await models.read(getPopularTags, {})
  const page = tagsPage(tags, language)
  return termsAnswer(page, Math.min(MAX_TAGS, tags.items.length), language, webUrl, models.position, (n) => {
    const tag = tags.items[n]
    return tag === undefined
      ? null
      : termResult(tag.label, webUrl + textPagePath('community', { sort: 'trending', tag: tag.key, locale: language }))
  })
}

async function categoriesAnswer({ models, language, webUrl }: LiveContext): Promise<Draft> {
  const landing = await models.read(getCommunityLanding, { locale: language })
  const page = categoriesPage(landing, language)
  return termsAnswer(page, landing.categories.length, language, webUrl, models.position, (n) => {
    const category = landing.categories[n]
    if (category === undefined) return null
    return termResult(category.label, webUrl + textPagePath('community', { sort: 'trending', category: category.slug, locale: language }))
  })
}

function termsAnswer(
  page: ReturnType<typeof tagsPage>,
  count: number,
  language: Language,
  webUrl: string,
  position: number | null,
  result: (n: number) => ReturnType<typeof termResult> | null,
): Draft {
  const [head = '', ...lines] = page.lines
  const said = lines.slice(0, count)
  return {
    type: 'answer',
    answer: said.length === 0 ? head : language === 'ja' ? `${head}：${said.join('、')}。` : `${head}: ${said.join(', ')}.`,
    citations: [textPageCitation(page, webUrl, count + 1)],
    results: said.flatMap((_, n) => result(n) ?? []),
    position,
  }
}
