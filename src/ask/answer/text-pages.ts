/** The pages that live answers cite: a list, a creator, who follows whom, one creation, the tags, the categories. */

import type { Creation } from '../../../readmodels/feed/creation.js'
import type { CommunityLanding } from '../../../readmodels/landing/public-reads.js'
import type { CreatorList, CreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import type { AppShare } from '../../../readmodels/shares/public-reads.js'
import type { PopularTags } from '../../../readmodels/tags/public-reads.js'
import type { Language } from '../languages.js'
import { findCreations, type ListQuery } from '../retrieve/creation-list.js'
import type { LiveContext } from '../retrieve/live-context.js'
import { type TextPage, textPagePath } from './citations.js'
import { dayOf, numberFormat } from './format.js'
import { type ListScope, TEMPLATES } from './templates.js'

const segment = encodeURIComponent

export interface ListPage {
  page: TextPage
  items: Creation[]
  /** Null when counting would mean reading too much. */
  total: number | null
  heading: string
  /** The sentence that says how many there are. */
  countSentence: string | null
}

export async function listPage(query: ListQuery, { models, language, categoryName }: LiveContext): Promise<ListPage> {
  const { items, total } = await findCreations(models, query, language)
  const voice = TEMPLATES[language]
  const scope: ListScope = { ...query, category: query.category === null ? null : categoryName(query.category) }
  const heading = voice.heading(query.sort, scope)
  const countSentence = total === null ? null : voice.count(total, scope)
  const lines = [
    heading,
    ...(countSentence === null ? [] : [countSentence]),
    ...items.map((item, place) => `${place + 1}. ${voice.line(item)}`),
  ]
  const { sort, kind, category, tag, q, featured, remixed, creator, limit } = query
  const path = textPagePath('community', { sort, category, tag, q, kind, featured, remixed, creator, limit, locale: language })
  return { page: { path, title: heading, lines }, items, total, heading, countSentence }
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
  return {
    path: textPagePath('tags', { locale: language }),
    title: voice.tags(total),
    lines: [voice.tags(total), ...items.map(({ label, count }) => voice.tagLine(label, count))],
  }
}

export function categoriesPage({ categories }: CommunityLanding, language: Language): TextPage {
  const voice = TEMPLATES[language]
  return {
    path: textPagePath('categories', { locale: language }),
    title: voice.categories(categories.length),
    lines: [voice.categories(categories.length), ...categories.map(({ label, count }) => voice.categoryLine(label, count))],
  }
}

export const formatScore = (score: number, language: Language): string => numberFormat(language)(score)
