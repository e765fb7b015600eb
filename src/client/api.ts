/** What the service takes and answers. The package ships these types as `vitrine client` prints them: with comments, and without zod. */
import type { z } from 'zod'
import type { CreatorCard as CreatorCardSchema } from '../../readmodels/feed/creation.js'
import type { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import type { getCommunityLanding } from '../../readmodels/landing/public-reads.js'
import type { getCreatorFollowers, getCreatorFollowing, getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import type { getAppShare } from '../../readmodels/shares/public-reads.js'
import type { getPopularTags } from '../../readmodels/tags/public-reads.js'
import type * as ask from '../ask/response.js'
import type { ErrorEnvelope as ErrorSchema } from '../contract/envelope.js'
import type { Operation } from '../contract/operation.js'

export type { Creation } from '../../readmodels/feed/creation.js'
export type { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
export type { CommunityLanding } from '../../readmodels/landing/public-reads.js'
export type { CreatorList, CreatorProfile } from '../../readmodels/profiles/public-reads.js'
export type { AppShare } from '../../readmodels/shares/public-reads.js'
export type { PopularTags } from '../../readmodels/tags/public-reads.js'
export type { AskRequest } from '../ask/request.js'
export type {
  AskDebug,
  AskResponse,
  AsyncAskJob,
  AsyncAskJobStatus,
  Citation as AskCitation,
  Result as AskResult,
} from '../ask/response.js'
export type { ServiceStatusDocument as ServiceStatus } from '../observe/service-status.js'

export type AskStartEvent = z.infer<typeof ask.AskStartEvent>
export type AskResultEvent = z.infer<typeof ask.AskResultEvent>
export type AskCompleteEvent = z.infer<typeof ask.AskCompleteEvent>
export type AskFailureEvent = z.infer<typeof ask.AskFailureEvent>
export type CreatorCard = z.infer<typeof CreatorCardSchema>
export type ErrorEnvelope = z.infer<typeof ErrorSchema>

interface Read<O extends Pick<Operation, 'input' | 'output'>> {
  arguments: z.input<O['input']>
  result: z.output<O['output']>
}

export interface Operations {
  getCommunityFeed: Read<typeof getCommunityFeed>
  getPopularTags: Read<typeof getPopularTags>
  getCommunityLanding: Read<typeof getCommunityLanding>
  getCreatorProfile: Read<typeof getCreatorProfile>
  getCreatorFollowers: Read<typeof getCreatorFollowers>
  getCreatorFollowing: Read<typeof getCreatorFollowing>
  getAppShare: Read<typeof getAppShare>
}
