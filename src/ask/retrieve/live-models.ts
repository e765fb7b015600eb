import type { z } from 'zod'
import type { Creation } from '../../../readmodels/feed/creation.js'
import type { Sort } from '../../../readmodels/feed/documents.js'
import type { CommunityFeedPage } from '../../../readmodels/feed/public-reads.js'
import { getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import type { CommunityLanding } from '../../../readmodels/landing/public-reads.js'
import { getCommunityLanding } from '../../../readmodels/landing/public-reads.js'
import type { CreatorList, CreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import { getCreatorFollowers, getCreatorFollowing, getCreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import { getCreatorWorks } from '../../../readmodels/profiles/unlisted-reads.js'
import type { AppShare } from '../../../readmodels/shares/public-reads.js'
import { getAppShare } from '../../../readmodels/shares/public-reads.js'
import type { PopularTags } from '../../../readmodels/tags/public-reads.js'
import { getPopularTags } from '../../../readmodels/tags/public-reads.js'
import { ServiceError } from '../../contract/errors.js'
import type { Operation } from '../../contract/operation.js'
import type { ReadExecutor } from '../../operations/read-executor.js'

export type FeedPage = z.infer<typeof CommunityFeedPage>
export type Tags = z.infer<typeof PopularTags>
export type Landing = z.infer<typeof CommunityLanding>
export type Profile = z.infer<typeof CreatorProfile>
export type People = z.infer<typeof CreatorList>
export type Share = z.infer<typeof AppShare>

/** The registry's reads, with the types they answer in. What does not exist is null. */
export class LiveReads {
  readonly #operations: ReadExecutor
  /** The lowest position read so far. */
  position: number | null = null

  constructor(operations: ReadExecutor) {
    this.#operations = operations
  }

  /** For reading on the side, without any bearing on the position of this one's answer. */
  sideReads = (): LiveReads => new LiveReads(this.#operations)
  feed = (input: Record<string, unknown>): Promise<FeedPage> => this.#require(getCommunityFeed, input)
  tags = (): Promise<Tags> => this.#require(getPopularTags, {})
  landing = (locale: string): Promise<Landing> => this.#require(getCommunityLanding, { locale })
  profile = (handle: string, locale: string): Promise<Profile | null> => this.#read(getCreatorProfile, { handle, locale })
  works = (input: { handle: string; sort: Sort; locale: string }): Promise<{ items: Creation[]; complete: boolean } | null> =>
    this.#read(getCreatorWorks, input)
  followers = (handle: string): Promise<People | null> => this.#read(getCreatorFollowers, { handle })
  following = (handle: string): Promise<People | null> => this.#read(getCreatorFollowing, { handle })
  share = (handle: string, slug: string, locale: string): Promise<Share | null> => this.#read(getAppShare, { handle, slug, locale })

  async #require<T>(operation: Operation, input: Record<string, unknown>): Promise<T> {
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
