/** The pages that live answers cite: a list, a creator, who follows whom, one creation, the tags, the categories. */

import type { Creation } from '../../../readmodels/feed/creation.js'
import type { Match } from '../../../readmodels/feed/unlisted-reads.js'
import { type Categories, getCategories } from '../../../readmodels/landing/unlisted-reads.js'
import {
  type CreatorList,
  type CreatorProfile,
  getCreatorFollowers,
  getCreatorFollowing,
  getCreatorProfile,
} from '../../../readmodels/profiles/public-reads.js'
import { type AppShare, getAppShare } from '../../../readmodels/shares/public-reads.js'
import { getPopularTags, type PopularTags } from '../../../readmodels/tags/public-reads.js'
import { dayOf, type Language, numberFormat } from '../languages.js'
import { findCreations, ListQuery } from '../retrieve/creation-list.js'
import { type LiveContext, type TextPage, textPagePath } from './citations.js'
import { type ListScope, TEMPLATES } from './templates.js'

export type TextPageRequest =
  | { page: 'community'; query: unknown }
  | { page: 'tags' | 'categories' }
  | { page: 'creator' | 'followers' | 'following'; handle: string }
  | { page: 'creation'; handle: string; slug: string }

/** One of the pages that live answers cite; null if its subject does not exist. */
export async function loadTextPage(wanted: TextPageRequest, context: LiveContext): Promise<TextPage | null> {
  const { models, language, categoryName } = context
  if (wanted.page === 'community') return (await listPage(ListQuery.parse(wanted.query), context)).page
  if (wanted.page === 'tags') return tagsPage(await models.read(getPopularTags, {}), language)
  if (wanted.page === 'categories') return categoriesPage(await models.read(getCategories, {}), language)
  if (wanted.page === 'creation') {
    const share = await models.find(getAppShare, { handle: wanted.handle, slug: wanted.slug })
    return share === null ? null : creationPage(share, categoryName(share.category), language)
  }
  if (!('handle' in wanted)) return null
  const profile = await models.find(getCreatorProfile, { handle: wanted.handle })
  if (profile === null) return null
  if (wanted.page === 'creator') return creatorPage(profile, language)
  const people = await models.find(wanted.page === 'followers' ? getCreatorFollowers : getCreatorFollowing, { handle: profile.handle })
  return people === null ? null : followsPage(profile, wanted.page, people, language)
}

const segment = encodeURIComponent

export interface ListPage {
  page: TextPage
  items: Creation[]
  /** By relevance, why each is listed. */
  matches: readonly Match[]
  /** Null when counting would mean reading too much. */
  total: number | null
  heading: string
  /** The sentence that says how many there are. */
  countSentence: string | null
}

export async function listPage(query: ListQuery, { models, language, categoryName }: LiveContext): Promise<ListPage> {
  const { items, total, matches = [] } = await findCreations(models, query)
  const voice = TEMPLATES[language]
  const scope: ListScope = { ...query, category: query.category === null ? null : categoryName(query.category) }
  const heading = voice.heading(query.sort, scope)
  const countSentence = total === null ? null : voice.count(total, scope)
  const lines = [
    heading,
    ...(countSentence === null ? [] : [countSentence]),
    ...items.map((item, place) => {
      const found = matches[place]?.found ?? []
      return [`${place + 1}. ${voice.line(item)}`, ...(found.length === 0 ? [] : [voice.found(found)])].join('; ')
    }),
  ]
  const { sort, kind, category, tag, q, featured, remixed, creator, limit } = query
  const path = textPagePath('community', { sort, category, tag, q, kind, featured, remixed, creator, limit, locale: language })
  return { page: { path, title: heading, lines }, items, matches, total, heading, countSentence }
}

export function creatorPage(profile: CreatorProfile, language: Language): TextPage {
  const voice = TEMPLATES[language]
  const { bio, joinedAt, stats, apps, topScores } = profile
  const lines = [
    voice.joined(profile, dayOf(joinedAt)),
    ...(bio === '' ? [] : [bio]),
    voice.totals(stats),
    stats.apps === 0 ? voice.nothingMade(profile) : voice.made(profile, stats.apps),
    ...apps.map((item, place) => `${place + 1}. ${voice.line(item)}`),
    ...topScores.map(({ title, score }) => voice.score(title, formatScore(score, language))),
  ]
  return { path: textPagePath(`user/${segment(profile.handle)}`, { locale: language }), title: voice.person(profile), lines }
}

export function followsPage(profile: CreatorProfile, side: 'followers' | 'following', people: CreatorList, language: Language): TextPage {
  const voice = TEMPLATES[language]
  const names = people.items.flatMap(({ handle, displayName }) =>
    handle === null || displayName === null ? [] : [voice.person({ handle, displayName })],
  )
  return {
    path: textPagePath(`user/${segment(profile.handle)}/${side}`, { locale: language }),
    title: voice.person(profile),
    lines: [voice[side](profile, people.total), ...names],
  }
}

export function creationPage(share: AppShare, categoryName: string, language: Language): TextPage {
  const voice = TEMPLATES[language]
  const { title, description, creator, slug, stats, publishedAt, remixOf, remixes, leaderboard, tags } = share
  const lines = [
    voice.creation(share, categoryName),
    ...(description === '' ? [] : [description.replace(/\s+/g, ' ').trim()]),
    voice.stats(stats),
    voice.published(dayOf(publishedAt)),
    ...(remixOf === null ? [] : [voice.remixOf(remixOf.title, remixOf.handle)]),
    ...(tags.length === 0 ? [] : [tags.map((tag) => `#${tag}`).join(' ')]),
    leaderboard.length === 0 ? voice.noScores(title) : voice.leaderboard(title),
    ...leaderboard.map(({ displayName, score }, place) => `${place + 1}. ${voice.score(displayName, formatScore(score, language))}`),
    voice.remixes(title, stats.remixes),
    ...remixes.map((item) => voice.line(item)),
  ]
  return { path: textPagePath(`app/${segment(creator.handle)}/${segment(slug)}`, { locale: language }), title, lines }
}

export function tagsPage({ items, total }: PopularTags, language: Language): TextPage {
  const voice = TEMPLATES[language]
  const title = voice.tags(total)
  const lines = [title, ...items.map(({ label, count }) => voice.tagLine(label, count))]
  return { path: textPagePath('tags', { locale: language }), title, lines }
}

export function categoriesPage({ categories }: Categories, language: Language): TextPage {
  const voice = TEMPLATES[language]
  const title = voice.categories(categories.length)
  const lines = [title, ...categories.map(({ label, count }) => voice.categoryLine(label, count))]
  return { path: textPagePath('categories', { locale: language }), title, lines }
}

export const formatScore = (score: number, language: Language): string => numberFormat(language)(score)
