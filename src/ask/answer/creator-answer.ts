/** Answers about one creator, and about one creation. */
import type { Creation } from '../../../readmodels/feed/creation.js'
import type { Draft } from '../draft.js'
import type { Language } from '../languages.js'
import type { Slots, Topic } from '../parse/slots.js'
import { LIST } from '../retrieve/creation-list.js'
import type { Profile } from '../retrieve/live-models.js'
import { cite, type Readout } from './citations.js'
import { joint } from './documentation-answer.js'
import { dayOf } from './format.js'
import { VOICES } from './index.js'
import { listAnswer } from './list-answer.js'
import type { Telling } from './live-answer.js'
import { creationResult, creatorResult } from './results.js'
import { creationPage, creatorPage, followsPage, scoreText } from './text-pages.js'

const SAID = 3
const SHOWN = 12

const listed = (head: string, entries: readonly string[], language: Language): string =>
  language === 'ja'
    ? entries.length === 0
      ? `${head}。`
      : `${head}：${entries.join('、')}。`
    : entries.length === 0
      ? `${head}.`
      : `${head}: ${entries.join(', ')}.`

export async function aboutCreator(handle: string, slots: Slots, telling: Telling): Promise<Draft | 'noCreator'> {
  const { models, language, webUrl } = telling
  const profile = await models.profile(handle, language)
  if (profile === null) return 'noCreator'
  const voice = VOICES[language]
  if (slots.topic === 'followers' || slots.topic === 'following') return followsAnswer(profile, slots.topic, telling)
  const page = creatorPage(profile, language)
  const wantsWorks = slots.topic === 'made' || slots.topic === 'list' || slots.sort !== null || slots.kind !== null
  if (wantsWorks) {
    // A profile shows the newest and counts them all; what is best, and how many games there are, is found in the feed.
    const { sort, kind, category, limit } = slots
    const narrowed = kind !== null || category !== null
    const ranked = sort !== null && sort !== 'recent' && profile.stats.apps > profile.apps.length
    const best =
      narrowed || ranked
        ? await listAnswer(
            { ...LIST, sort: sort ?? 'recent', kind, category, creator: profile.handle, limit: limit ?? LIST.limit },
            narrowed && sort === null,
            telling,
          )
        : null
    return best === null || best === 'nothingFound' ? worksAnswer(profile, slots, page, telling) : best
  }
  if (slots.topic === 'leaderboard') {
    const scores = profile.topScores.slice(0, SAID).map(({ title, score }) => voice.score(title, scoreText(score, language)))
    if (scores.length > 0)
      return draft(
        listed(voice.person(profile), scores, language),
        page,
        page.lines.length,
        webUrl,
        [creatorResult(profile)],
        models.position,
      )
  }
  const answer = [voice.joined(profile, dayOf(profile.joinedAt)), voice.totals(profile.stats)].join(joint(language))
  return draft(
    answer,
    page,
    profile.bio === '' ? 2 : 3,
    webUrl,
    [creatorResult(profile), ...profile.apps.slice(0, SHOWN).map(creationResult)],
    models.position,
  )
}

function worksAnswer(profile: Profile, { sort, kind, category }: Slots, page: Readout, { language, webUrl, models, mode }: Telling): Draft {
  const voice = VOICES[language]
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
    return draft(
      profile.stats.apps === 0 ? voice.nothingMade(profile) : `${voice.made(profile, profile.stats.apps)}.`,
      page,
      page.lines.length,
      webUrl,
      [creatorResult(profile)],
      models.position,
    )
  const said = works.slice(0, mode === 'generate' ? SAID : SHOWN)
  const answer = listed(
    voice.made(profile, profile.stats.apps),
    said.map((item) => voice.entry(item, order)),
    language,
  )
  return draft(answer, page, page.lines.length, webUrl, works.slice(0, SHOWN).map(creationResult), models.position)
}

const likes = (item: Creation): number => item.stats.likes

async function followsAnswer(
  profile: Profile,
  side: 'followers' | 'following',
  { models, language, webUrl }: Telling,
): Promise<Draft | 'noCreator'> {
  const people = await (side === 'followers' ? models.followers(profile.handle) : models.following(profile.handle))
  if (people === null) return 'noCreator'
  const page = followsPage(profile, side, people, language)
  const [head = '', ...names] = page.lines
  return draft(
    listed(head, names.slice(0, SAID), language),
    page,
    1 + Math.min(SAID, names.length),
    webUrl,
    [creatorResult(profile)],
    models.position,
  )
}

export async function aboutCreation(handle: string, slug: string, topic: Topic | null, telling: Telling): Promise<Draft | 'noCreation'> {
  const { models, language, webUrl, categoryName } = telling
  const share = await models.share(handle, slug, language)
  if (share === null) return 'noCreation'
  const voice = VOICES[language]
  const page = creationPage(share, categoryName(share.category), language)
  const everything = page.lines.length
  if (topic === 'leaderboard') {
    const scores = share.leaderboard.slice(0, SAID).map(({ displayName, score }) => voice.score(displayName, scoreText(score, language)))
    const answer = scores.length === 0 ? voice.noScores(share.title) : listed(voice.leaderboard(share.title), scores, language)
    return draft(answer, page, everything, webUrl, [creationResult(share)], models.position)
  }
  if (topic === 'remixes') {
    const entries = share.remixes.slice(0, SAID).map((item) => voice.entry(item, 'liked'))
    return draft(
      listed(voice.remixes(share.title, share.stats.remixes), entries, language),
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
  ].join(joint(language))
  return draft(answer, page, everything, webUrl, [creationResult(share)], models.position)
}

function draft(answer: string, page: Readout, used: number, webUrl: string, results: Draft['results'], position: number | null): Draft {
  return { type: 'answer', answer, citations: [cite(page, webUrl, used)], results, position }
}
