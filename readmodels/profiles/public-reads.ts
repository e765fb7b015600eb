import { z } from 'zod'
import { profileExample } from '../../content/examples.js'
import { notFound } from '../../src/contract/errors.js'
import { handle, locale } from '../../src/contract/fields.js'
import { type ReadContext, operation } from '../../src/contract/operation.js'
import { isoTime } from '../../src/events/index.js'
import { CreatorProfile } from '../feed/creation.js'
import { itemsOfCreator, publicSummaries, totalsOf } from '../feed/queries.js'
import { renderCreation } from '../feed/render.js'
import { bestScores } from '../shares/queries.js'
import { profileByHandle } from './queries.js'

const MAX_APPS = 48
const MAX_TOP_SCORES = 10

export const getCreatorProfile = operation({
  name: 'get_creator_profile',
  operationId: 'getCreatorProfile',
  path: '/public/share/user/{handle}',
  tag: 'users',
  summary: 'Creator profile',
  description: 'Public profile, aggregate stats, public apps (newest first) and top scores of one creator.',
  input: z.object({ handle, locale }),
  output: CreatorProfile,
  models: ['profiles', 'feed', 'shares'],
  notFound: 'The handle is unknown',
  example: profileExample,
  async run(context, { handle: wanted }) {
    const { model, localizer, urls } = context
    const profile = await profileByHandle(model('profiles'), wanted)
    if (profile?.handle == null) throw notFound('No creator has this handle.')
    const { apps, likes, remixes, plays } = await totalsOf(model('feed'), profile._id)
    const { followers, following } = profile
    const creations = await itemsOfCreator(model('feed'), profile._id, MAX_APPS)
    return {
      handle: profile.handle,
      displayName: profile.displayName,
      bio: profile.bio,
      avatarUrl: profile.avatarUrl,
      url: urls.creator(profile.handle),
      links: profile.links,
      joinedAt: isoTime(profile.joinedAt),
      stats: { apps, likes, remixes, plays, followers, following },
      apps: creations.map((item) => renderCreation(item, localizer, urls)),
      topScores: await topScores(context, profile._id),
    }
  },
})

/** Scores in creations that are not public now are left out, but not forgotten. */
async function topScores({ model, localizer }: ReadContext, userId: string) {
  const shown = []
  for await (const stretch of bestScores(model('shares'), userId)) {
    const creations = await publicSummaries(
      model('feed'),
      stretch.map(({ creationId }) => creationId),
    )
    for (const { creationId, score, achievedAt } of stretch) {
      const item = creations.get(creationId)
      if (item?.creator == null || item.slug === null) continue
      shown.push({ handle: item.creator.handle, slug: item.slug, title: localizer.text(item.title), score, achievedAt: isoTime(achievedAt) })
      if (shown.length === MAX_TOP_SCORES) return shown
    }
  }
  return shown
}
