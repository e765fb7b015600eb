import { z } from 'zod'
import { followsExample, profileExample } from '../../content/examples.js'
import { notFound } from '../../src/contract/errors.js'
import { count, handle, isoDateTime, locale, namedSchema } from '../../src/contract/fields.js'
import { operation, type ReadContext } from '../../src/contract/operation.js'
import { isoTime } from '../../src/events/index.js'
import { Creation, renderCreation } from '../feed/creation.js'
import { itemsOfCreator, publicSummaries, totalsOf } from '../feed/queries.js'
import { bestScores } from '../shares/public-reads.js'
import { followsOf, profileByHandle } from './queries.js'

const MAX_APPS = 48
const MAX_TOP_SCORES = 10
const MAX_SCORES_LOOKED_AT = 300

export const CreatorProfile = namedSchema(
  'CreatorProfile',
  z.object({
    handle: z.string(),
    displayName: z.string(),
    bio: z.string(),
    avatarUrl: z.string().nullable(),
    url: z.string(),
    links: z.array(z.object({ label: z.string(), url: z.string() })),
    joinedAt: isoDateTime,
    stats: z.object({ apps: count, likes: count, remixes: count, plays: count, followers: count, following: count }),
    apps: z.array(Creation).meta({ description: 'The newest public creations, at most 48.' }),
    topScores: z.array(z.object({ handle: z.string(), slug: z.string(), title: z.string(), score: z.number(), achievedAt: isoDateTime })),
  }),
  'A public creator profile with aggregate stats, public apps and top scores.',
)
export type CreatorProfile = z.infer<typeof CreatorProfile>

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

/** Leaves out scores in creations that are not public now; they show again when the creation does. Looks at the highest few hundred. */
async function topScores({ model, localizer }: ReadContext, userId: string) {
  const shown = []
  let looked = 0
  for await (const stretch of bestScores(model('shares'), userId)) {
    const creations = await publicSummaries(
      model('feed'),
      stretch.map(({ creationId }) => creationId),
    )
    for (const { creationId, score, achievedAt } of stretch) {
      const item = creations.get(creationId)
      if (item?.creator == null || item.slug === null) continue
      shown.push({
        handle: item.creator.handle,
        slug: item.slug,
        title: localizer.text(item.title),
        score,
        achievedAt: isoTime(achievedAt),
      })
      if (shown.length === MAX_TOP_SCORES) return shown
    }
    looked += stretch.length
    if (looked >= MAX_SCORES_LOOKED_AT) break
  }
  return shown
}

export const CreatorList = namedSchema(
  'CreatorList',
  z.object({
    items: z.array(
      z.object({
        handle: z.string().nullable().meta({ description: 'Null for a person without a public profile.' }),
        displayName: z.string().nullable(),
        avatarUrl: z.string().nullable(),
        url: z.string().nullable(),
        since: isoDateTime,
      }),
    ),
    total: count,
    limit: z.int(),
  }),
  'A preview of followers or followed creators, newest first.',
)
export type CreatorList = z.infer<typeof CreatorList>

const limit = z.int().min(1).max(100).default(24).meta({ description: 'How many creators to list.' })

const followRead = (list: 'followers' | 'following', texts: { name: string; operationId: string; summary: string; description: string }) =>
  operation({
    ...texts,
    path: `/public/share/user/{handle}/${list}`,
    tag: 'users',
    input: z.object({ handle, limit }),
    output: CreatorList,
    models: ['profiles'],
    notFound: 'The handle is unknown',
    example: followsExample,
    async run({ model, urls }, input) {
      const profile = await profileByHandle(model('profiles'), input.handle)
      if (profile === null) throw notFound('No creator has this handle.')
      const found = await followsOf(model('profiles'), list, profile._id, input.limit)
      const items = found.map(({ profile: other, since }) => ({
        handle: other?.handle ?? null,
        displayName: other?.displayName ?? null,
        avatarUrl: other?.avatarUrl ?? null,
        url: other?.handle == null ? null : urls.creator(other.handle),
        since: isoTime(since),
      }))
      return { items, total: profile[list], limit: input.limit }
    },
  })

export const getCreatorFollowers = followRead('followers', {
  name: 'get_creator_followers',
  operationId: 'getCreatorFollowers',
  summary: 'Followers of a creator',
  description: 'A preview of who follows a creator, newest first.',
})

export const getCreatorFollowing = followRead('following', {
  name: 'get_creator_following',
  operationId: 'getCreatorFollowing',
  summary: 'Creators a creator follows',
  description: 'A preview of whom a creator follows, newest first.',
})
