import type { Creation } from '../../../readmodels/feed/creation.js'
import {
  type CreatorProfile,
  getCreatorFollowers,
  getCreatorFollowing,
  getCreatorProfile,
} from '../../../readmodels/profiles/public-reads.js'
import { dayOf, listSentence, sentenceSeparator } from '../languages.js'
import type { Slots } from '../parse/slots.js'
import type { Draft } from '../response.js'
import { DEFAULT_LIST } from '../retrieve/creation-list.js'
import { type LiveContext, liveDraft, type TextPage } from './citations.js'
import { listAnswer } from './list-answer.js'
import { creationResult, creatorResult } from './results.js'
import { TEMPLATES } from './templates.js'
import { creatorPage, followsPage, formatScore } from './text-pages.js'

const MAX_NAMED = 3
const MAX_RESULTS = 12

export async function creatorAnswer(handle: string, slots: Slots, context: LiveContext): Promise<Draft | 'noCreator'> {
  const { models, language } = context
  const profile = await models.find(getCreatorProfile, { handle })
  if (profile === null) return 'noCreator'
  const voice = TEMPLATES[language]
  if (slots.intent === 'followers' || slots.intent === 'following') return followsAnswer(profile, slots.intent, context)
  const page = creatorPage(profile, language)
  const wantsWorks = slots.intent === 'made' || slots.sort !== null || slots.kind !== null
  if (wantsWorks) {
    // A profile lists the newest creations only. The best, and how many of them are games, come from the feed.
    const { sort, kind, category, limit } = slots
    const narrowed = kind !== null || category !== null
    const ranked = sort !== null && sort !== 'recent' && profile.stats.apps > profile.apps.length
    const filter = { kind, category, creator: profile.handle, limit: limit ?? DEFAULT_LIST.limit }
    const query = { ...DEFAULT_LIST, sort: sort ?? 'recent', ...filter }
    const best = narrowed || ranked ? await listAnswer(query, narrowed && sort === null, context) : 'nothingFound'
    return best === 'nothingFound' ? worksAnswer(profile, slots, page, context) : best
  }
  if (slots.intent === 'leaderboard') {
    const scores = profile.topScores.slice(0, MAX_NAMED).map(({ title, score }) => voice.score(title, formatScore(score, language)))
    if (scores.length > 0)
      return liveDraft(listSentence(voice.person(profile), scores, language), { page }, [creatorResult(profile)], context)
  }
  const answer = [voice.joined(profile, dayOf(profile.joinedAt)), voice.totals(profile.stats)].join(sentenceSeparator(language))
  const works = profile.apps.slice(0, MAX_RESULTS).map(creationResult)
  return liveDraft(answer, { page, used: profile.bio === '' ? 2 : 3 }, [creatorResult(profile), ...works], context)
}

function worksAnswer(profile: CreatorProfile, { sort, kind, category }: Slots, page: TextPage, context: LiveContext): Draft {
  const { language, mode } = context
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
  if (works.length === 0) {
    const none = profile.stats.apps === 0 ? voice.nothingMade(profile) : `${voice.made(profile, profile.stats.apps)}.`
    return liveDraft(none, { page }, [creatorResult(profile)], context)
  }
  const entries = works.slice(0, mode === 'generate' ? MAX_NAMED : MAX_RESULTS).map((item) => voice.entry(item, order))
  const answer = listSentence(voice.made(profile, profile.stats.apps), entries, language)
  return liveDraft(answer, { page }, works.slice(0, MAX_RESULTS).map(creationResult), context)
}

const likes = (item: Creation): number => item.stats.likes

async function followsAnswer(profile: CreatorProfile, side: 'followers' | 'following', context: LiveContext): Promise<Draft | 'noCreator'> {
  const { models, language } = context
  const people = await models.find(side === 'followers' ? getCreatorFollowers : getCreatorFollowing, { handle: profile.handle })
  if (people === null) return 'noCreator'
  const page = followsPage(profile, side, people, language)
  const [head = '', ...names] = page.lines
  const named = names.slice(0, MAX_NAMED)
  return liveDraft(listSentence(head, named, language), { page, used: 1 + named.length }, [creatorResult(profile)], context)
}
