/** The built-in models. To add one, add it here. */
import { feedProjection } from '../../../projections/feed/index.js'
import { integrityProjection } from '../../../projections/integrity/index.js'
import { profilesProjection } from '../../../projections/profiles/index.js'
import { sharesProjection } from '../../../projections/shares/index.js'
import { tagsProjection } from '../../../projections/tags/index.js'
import { getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import { getCommunityLanding } from '../../../readmodels/landing/public-reads.js'
import { getCreatorFollowers, getCreatorFollowing, getCreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import { getAppShare } from '../../../readmodels/shares/public-reads.js'
import { getPopularTags } from '../../../readmodels/tags/public-reads.js'
import type { Model } from './model-set.js'

export const BUILT_IN: readonly Model[] = [
  { projection: feedProjection, reads: [getCommunityFeed] },
  { projection: tagsProjection, reads: [getPopularTags] },
  // Read from the feed's documents.
  { projection: null, reads: [getCommunityLanding] },
  { projection: profilesProjection, reads: [getCreatorProfile, getCreatorFollowers, getCreatorFollowing] },
  { projection: sharesProjection, reads: [getAppShare] },
  // Read by the status document and `vitrine doctor` only.
  { projection: integrityProjection, reads: [] },
]
