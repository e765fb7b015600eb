import { getAppShare } from '../../../readmodels/shares/public-reads.js'
import { dayOf, listSentence, sentenceSeparator } from '../languages.js'
import type { Intent } from '../parse/slots.js'
import type { Draft, Result } from '../response.js'
import { type LiveContext, liveDraft } from './citations.js'
import { creationResult } from './results.js'
import { TEMPLATES } from './templates.js'
import { creationPage, formatScore } from './text-pages.js'

const MAX_NAMED = 3

export async function creationAnswer(
  handle: string,
  slug: string,
  intent: Intent | null,
  context: LiveContext,
): Promise<Draft | 'noCreation'> {
  const { models, language, categoryName } = context
  const share = await models.find(getAppShare, { handle, slug })
  if (share === null) return 'noCreation'
  const voice = TEMPLATES[language]
  const page = creationPage(share, categoryName(share.category), language)
  const draft = (answer: string, ...others: Result[]) => liveDraft(answer, { page }, [creationResult(share), ...others], context)
  if (intent === 'leaderboard') {
    const scores = share.leaderboard
      .slice(0, MAX_NAMED)
      .map(({ displayName, score }) => voice.score(displayName, formatScore(score, language)))
    const answer = scores.length === 0 ? voice.noScores(share.title) : listSentence(voice.leaderboard(share.title), scores, language)
    return draft(answer)
  }
  if (intent === 'remixes') {
    const entries = share.remixes.slice(0, MAX_NAMED).map((item) => voice.entry(item, 'liked'))
    const answer = listSentence(voice.remixes(share.title, share.stats.remixes), entries, language)
    return draft(answer, ...share.remixes.map(creationResult))
  }
  const origin = share.remixOf === null ? [] : [voice.remixOf(share.remixOf.title, share.remixOf.handle)]
  const stats = listSentence(voice.stats(share.stats), [], language)
  const sentences = [voice.creation(share, categoryName(share.category)), ...origin, stats, voice.published(dayOf(share.publishedAt))]
  return draft(sentences.join(sentenceSeparator(language)))
}
