import type { z } from 'zod'
import type { Sort } from '../../../readmodels/feed/documents.js'
import { getAppShare } from '../../operations/apps/share.js'
import { getCommunityFeed } from '../../operations/community/feed.js'
import { getCommunityLanding } from '../../operations/community/landing.js'
import { getPopularTags } from '../../operations/community/tags.js'
import { ServiceError } from '../../operations/errors.js'
import type { Operations } from '../../operations/execute.js'
import type { Operation } from '../../operations/operation.js'
import type {
  AppShare,
  CommunityFeedPage,
  CommunityLanding,
  Creation,
  CreatorList,
  CreatorProfile,
  PopularTags,
} from '../../operations/shapes.js'
import { getCreatorFollowers, getCreatorFollowing } from '../../operations/users/follows.js'
import { getCreatorProfile } from '../../operations/users/profile.js'
import { getCreatorWorks } from '../../operations/users/works.js'

export type FeedPage = z.infer<typeof CommunityFeedPage>
export type Tags = z.infer<typeof PopularTags>
export type Landing = z.infer<typeof CommunityLanding>
export type Profile = z.infer<typeof CreatorProfile>
export type People = z.infer<typeof CreatorList>
export type Share = z.infer<typeof AppShare>

/** The registry's reads, with the types they answer in. What does not exist is null. */
export class Models {
  readonly #operations: Operations
  /** The lowest position read so far. */
  position: number | null = null

  constructor(operations: Operations) {
    this.#operations = operations
  }

  /** For reading on the side, without any bearing on the position of this one's answer. */
  another = (): Models => new Models(this.#operations)
  feed = (input: Record<string, unknown>): Promise<FeedPage> => this.#always(getCommunityFeed, input)
  tags = (): Promise<Tags> => this.#always(getPopularTags, {})
  landing = (locale: string): Promise<Landing> => this.#always(getCommunityLanding, { locale })
  profile = (handle: string, locale: string): Promise<Profile | null> => this.#read(getCreatorProfile, { handle, locale })
  works = (input: { handle: string; sort: Sort; locale: string }): Promise<{ items: Creation[]; complete: boolean } | null> =>
    this.#read(getCreatorWorks, input)
  followers = (handle: string): Promise<People | null> => this.#read(getCreatorFollowers, { handle })
  following = (handle: string): Promise<People | null> => this.#read(getCreatorFollowing, { handle })
  share = (handle: string, slug: string, locale: string): Promise<Share | null> => this.#read(getAppShare, { handle, slug, locale })

  async #always<T>(operation: Operation, input: Record<string, unknown>): Promise<T> {
    const answer = await this.#read<T>(operation, input)
    if (answer === null) throw new Error(`${operation.name} has no answer`)
    return answer
  }

  async #read<T>(operation: Operation, input: Record<string, unknown>): Promise<T | null> {
    try {
      const { data, position } = await this.#operations.execute(operation, input)
      this.position = Math.min(this.position ?? position, position)
      // Each method above names the output of its own operation; the registry forgets types on purpose.
      return data as T
    } catch (error) {
      if (error instanceof ServiceError && (error.status === 404 || error.status === 422)) return null
      throw error
    }
  }
}
