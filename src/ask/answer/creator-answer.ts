/** Answers about one creator, and about one creation. */

import type { Creation } from '../../../readmodels/feed/creation.js'
import {
  type CreatorProfile,
  getCreatorFollowers,
  getCreatorFollowing,
  getCreatorProfile,
} from '../../../readmodels/profiles/public-reads.js'
import { getAppShare } from '../../../readmodels/shares/public-reads.js'
import type { Language } from '../languages.js'
import type { Intent, Slots } from '../parse/slots.js'
import type { Draft } from '../response.js'
import { DEFAULT_LIST } from '../retrieve/creation-list.js'
import { type TextPage, textPageCitation } from './citations.js'
import { sentenceSeparator } from './documentation-answer.js'
import { dayOf } from './format.js'
import { listAnswer } from './list-answer.js'
import type { LiveContext } from './live-answer.js'
import { creationResult, creatorResult } from './results.js'
import { TEMPLATES } from './templates.js'
import { creationPage, creatorPage, followsPage, formatScore } from './text-pages.js'

const MAX_NAMED = 3
const MAX_RESULTS = 12

const listSentence = (head: string, entries: readonly string[], language: Language): string =>
  language === 'ja'
    ? entries.length === 0
      ? `${head}。`
      : `${head}：${entries.join('、')}。`
    : entries.length === 0
      ? `${head}.`
      : `${head}: ${entries.join(', ')}.`

export async function creatorAnswer(handle: string, slots: Slots, telling: LiveContext): Promise<Draft | 'noCreator'> {
  const { models, language, webUrl } = telling
  const profile = await models.find(getCreatorProfile, { handle, locale: language })
  if (profile === null) return 'noCreator'
  const voice = TEMPLATES[language]
  if (slots.intent === 'followers' || slots.intent === 'following') return followsAnswer(profile, slots.intent, telling)
  const page = creatorPage(profile, language)
  const wantsWorks = slots.intent === 'made' || slots.intent === 'list' || slots.sort !== null || slots.kind !== null
  if (wantsWorks) {
    // A profile shows the newest and counts them all; what is best, and how many games there are, is found in the feed.
    const { sort, kind, category, limit } = slots
    const narrowed = kind !== null || category !== null
    const ranked = sort !== null && sort !== 'recent' && profile.stats.apps > profile.apps.length
    const best =
      narrowed || ranked
        ? await listAnswer(
            { ...DEFAULT_LIST, sort: sort ?? 'recent', kind, category, creator: profile.handle, limit: limit ?? DEFAULT_LIST.limit },
            narrowed && sort === null,
            telling,
          )
        : null
    return best === null || best === 'nothingFound' ? worksAnswer(profile, slots, page, telling) : best
  }
  if (slots.intent === 'leaderboard') {
    const scores = profile.topScores.slice(0, MAX_NAMED).map(({ title, score }) => voice.score(title, formatScore(score, language)))
    if (scores.length > 0)
      return liveDraft(
        listSentence(voice.person(profile), scores, language),
        page,
        page.lines.length,
        webUrl,
        [creatorResult(profile)],
        models.position,
      )
  }
  const answer = [voice.joined(profile, dayOf(profile.joinedAt)), voice.totals(profile.stats)].join(sentenceSeparator(language))
  return liveDraft(
    answer,
    page,
    profile.bio === '' ? 2 : 3,
    webUrl,
    [creatorResult(profile), ...profile.apps.slice(0, MAX_RESULTS).map(creationResult)],
    models.position,
  )
}

function worksAnswer(
  profile: CreatorProfile,
  { sort, kind, category }: Slots,
  page: TextPage,
  { language, webUrl, models, mode }: LiveContext,
): Draft {
  const voice = TEMPLATES[language]
  const fitting = profile.apps.filter((item) => (kind === null || item.kind === kind) && (category === null || item.category === category))
  const order = sort ?? 'recent'
  const by = {
    liked: likes,
    trending: likes,
    popular: (item: Creation) => item.stats.plays,
    remixed: (item: Creation) => item.stats.remixes,
    recent: (item: Creation) => Date.parse(item.publishedAt),
  }[order]
  const works = fitting.toSorted((a, b) => by(b) - by(a))
  if (works.length === 0)
    return liveDraft(
      profile.stats.apps === 0 ? voice.nothingMade(profile) : `${voice.made(profile, profile.stats.apps)}.`,
      page,
      page.lines.length,
      webUrl,
      [creatorResult(profile)],
      models.position,
    )
  const said = works.slice(0, mode === 'generate' ? MAX_NAMED : MAX_RESULTS)
  const answer = listSentence(
    voice.made(profile, profile.stats.apps),
    said.map((item) => voice.entry(item, order)),
    language,
  )
  return liveDraft(answer, page, page.lines.length, webUrl, works.slice(0, MAX_RESULTS).map(creationResult), models.position)
}

const likes = (item: Creation): number => item.stats.likes

async function followsAnswer(
  profile: CreatorProfile,
  side: 'followers' | 'following',
  { models, language, webUrl }: LiveContext,
): Promise<Draft | 'noCreator'> {
  const people = await models.find(side === 'followers' ? getCreatorFollowers : getCreatorFollowing, { handle: profile.handle })
  if (people === null) return 'noCreator'
  const page = followsPage(profile, side, people, language)
  const [head = '', ...names] = page.lines
  return liveDraft(
    listSentence(head, names.slice(0, MAX_NAMED), language),
    page,
    1 + Math.min(MAX_NAMED, names.length),
    webUrl,
    [creatorResult(profile)],
    models.position,
  )
}

export async function creationAnswer(
  handle: string,
  slug: string,
  topic: Intent | null,
  telling: LiveContext,
): Promise<Draft | 'noCreation'> {
  const { models, language, webUrl, categoryName } = telling
  const share = await models.find(getAppShare, { handle, slug, locale: language })
  if (share === null) return 'noCreation'
  const voice = TEMPLATES[language]
  const page = creationPage(share, categoryName(share.category), language)
  const everything = page.lines.length
  if (topic === 'leaderboard') {
    const scores = share.leaderboard
      .slice(0, MAX_NAMED)
      .map(({ displayName, score }) => voice.score(displayName, formatScore(score, language)))
    const answer = scores.length === 0 ? voice.noScores(share.title) : listSentence(voice.leaderboard(share.title), scores, language)
    return liveDraft(answer, page, everything, webUrl, [creationResult(share)], models.position)
  }
  if (topic === 'remixes') {
    const entries = share.remixes.slice(0, MAX_NAMED).map((item) => voice.entry(item, 'liked'))
    return liveDraft(
      listSentence(voice.remixes(share.title, share.stats.remixes), entries, language),
      page,
      everything,
      webUrl,
      [creationResult(share), ...share.remixes.map(creationResult)],
      models.position,
    )
  }
  const origin = share.remixOf === null ? [] : [voice.remixOf(share.remixOf.title, share.remixOf.handle)]
  const answer = [
    voice.creation(share, categoryName(share.category)),
    ...origin,
    language === 'ja' ? `${voice.stats(share.stats)}。` : `${voice.stats(share.stats)}.`,
    voice.published(dayOf(share.publishedAt)),
  ].join(sentenceSeparator(language))
  return liveDraft(answer, page, everything, webUrl, [creationResult(share)], models.position)
}

function liveDraft(
  answer: string,
  page: TextPage,
  used: number,
  webUrl: string,
  results: Draft['results'],
  position: number | null,
): Draft {
  return { type: 'answer', answer, citations: [textPageCitation(page, webUrl, used)], results, position }
}
