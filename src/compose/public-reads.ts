/** Every public read, once. Adding one here adds it to REST and to every description made from the registry. */

import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { getCommunityLanding } from '../../readmodels/landing/public-reads.js'
import { getCreatorFollowers, getCreatorFollowing, getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import { getAppShare } from '../../readmodels/shares/public-reads.js'
import { getPopularTags } from '../../readmodels/tags/public-reads.js'
import { type Operation, validateOperations } from '../contract/operation.js'

export const publicReads: readonly Operation[] = validateOperations([
  getCommunityFeed,
  getPopularTags,
  getCommunityLanding,
  getCreatorProfile,
  getCreatorFollowers,
  getCreatorFollowing,
  getAppShare,
])

/** All that any of them reads. */
export const READ_MODELS: readonly string[] = [...new Set(publicReads.flatMap(({ models }) => models))]
