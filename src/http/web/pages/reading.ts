import type { z } from 'zod'
import { CommunityFeedPage, getCommunityFeed } from '../../../../readmodels/feed/public-reads.js'
import { CommunityLanding, getCommunityLanding } from '../../../../readmodels/landing/public-reads.js'
import {
  CreatorList,
  CreatorProfile,
  getCreatorFollowers,
  getCreatorFollowing,
  getCreatorProfile,
} from '../../../../readmodels/profiles/public-reads.js'
import { AppShare, getAppShare } from '../../../../readmodels/shares/public-reads.js'
import { getPopularTags, PopularTags } from '../../../../readmodels/tags/public-reads.js'
import type { Operation } from '../../../contract/operation.js'
import type { Position } from '../../../events/index.js'
import type { ReadExecutor } from '../../../operations/read-executor.js'

export type Feed = z.infer<typeof CommunityFeedPage>
export type Landing = z.infer<typeof CommunityLanding>
export type Tags = z.infer<typeof PopularTags>
export type Profile = z.infer<typeof CreatorProfile>
export type Follows = z.infer<typeof CreatorList>
export type Share = z.infer<typeof AppShare>

/** The public reads a page is made of, in process; remembers how new they were and in which languages. */
export class PageReads {
  readonly #operations: ReadExecutor
  readonly #locale: string
  readonly #languages = new Set<string>()
  #position = Number.POSITIVE_INFINITY

  constructor(operations: ReadExecutor, locale: string) {
    this.#operations = operations
    this.#locale = locale
  }

  feed = (input: Record<string, unknown>): Promise<Feed> => this.read(getCommunityFeed, CommunityFeedPage, input)
  landing = (): Promise<Landing> => this.read(getCommunityLanding, CommunityLanding)
  tags = (): Promise<Tags> => this.read(getPopularTags, PopularTags)
  profile = (handle: string): Promise<Profile> => this.read(getCreatorProfile, CreatorProfile, { handle })
  followers = (handle: string, limit: number): Promise<Follows> => this.read(getCreatorFollowers, CreatorList, { handle, limit })
  following = (handle: string, limit: number): Promise<Follows> => this.read(getCreatorFollowing, CreatorList, { handle, limit })
  share = (handle: string, slug: string): Promise<Share> => this.read(getAppShare, AppShare, { handle, slug })

  /** The lowest position among everything read; null when nothing was. */
  get position(): Position | null {
    return this.#position === Number.POSITIVE_INFINITY ? null : (this.#position as Position)
  }

  get languages(): string[] {
    return [...this.#languages]
  }

  /** The schema is here for its type: what an operation answers has been made to fit it. */
  async read<S extends z.ZodType>(operation: Operation, _output: S, input: Record<string, unknown> = {}): Promise<z.output<S>> {
    const answer = await this.#operations.execute(operation, {
      ...input,
      ...('locale' in operation.input.shape ? { locale: this.#locale } : {}),
    })
    this.#position = Math.min(this.#position, answer.position)
    for (const language of answer.languages) this.#languages.add(language)
    return answer.data as z.output<S>
  }
}
