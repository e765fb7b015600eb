import { z } from 'zod'
import { followsExample } from '../../content/examples.js'
import { notFound } from '../../src/contract/errors.js'
import { handle } from '../../src/contract/fields.js'
import { operation } from '../../src/contract/operation.js'
import { isoTime } from '../../src/events/index.js'
import type { Reads } from '../../src/ports/document-store.js'
import { CreatorList } from '../feed/creation.js'
import type { Profile } from './documents.js'
import { type Follow, followedBy, followersOf, profileByHandle } from './queries.js'

const limit = z.int().min(1).max(100).default(24).meta({ description: 'How many creators to list.' })

interface FollowDirection {
  name: string
  operationId: string
  segment: 'followers' | 'following'
  summary: string
  description: string
  list(reads: Reads, creatorId: string, limit: number): Promise<Follow[]>
  total(profile: Profile): number
}

const followRead = ({ name, operationId, segment, summary, description, list, total }: FollowDirection) =>
  operation({
    name,
    operationId,
    path: `/public/share/user/{handle}/${segment}`,
    tag: 'users',
    summary,
    description,
    input: z.object({ handle, limit }),
    output: CreatorList,
    models: ['profiles'],
    notFound: 'The handle is unknown',
    example: followsExample,
    async run({ model, urls }, input) {
      const profile = await profileByHandle(model('profiles'), input.handle)
      if (profile === null) throw notFound('No creator has this handle.')
      const found = await list(model('profiles'), profile._id, input.limit)
      const items = found.map(({ profile: other, since }) => ({
        handle: other?.handle ?? null,
        displayName: other?.displayName ?? null,
        avatarUrl: other?.avatarUrl ?? null,
        url: other?.handle == null ? null : urls.creator(other.handle),
        since: isoTime(since),
      }))
      return { items, total: total(profile), limit: input.limit }
    },
  })

export const getCreatorFollowers = followRead({
  name: 'get_creator_followers',
  operationId: 'getCreatorFollowers',
  segment: 'followers',
  summary: 'Followers of a creator',
  description: 'A preview of who follows a creator, newest first.',
  list: followersOf,
  total: ({ followers }) => followers,
})

export const getCreatorFollowing = followRead({
  name: 'get_creator_following',
  operationId: 'getCreatorFollowing',
  segment: 'following',
  summary: 'Creators a creator follows',
  description: 'A preview of whom a creator follows, newest first.',
  list: followedBy,
  total: ({ following }) => following,
})
