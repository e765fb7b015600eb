/** Every model, once: the projection that folds it and the public reads it serves. To add a model, add it here. */
import { feedProjection } from '../../projections/feed/index.js'
import { integrityProjection } from '../../projections/integrity/index.js'
import { profilesProjection } from '../../projections/profiles/index.js'
import { sharesProjection } from '../../projections/shares/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { getCommunityLanding } from '../../readmodels/landing/public-reads.js'
import { getCreatorFollowers, getCreatorFollowing, getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import { getAppShare } from '../../readmodels/shares/public-reads.js'
import { getPopularTags } from '../../readmodels/tags/public-reads.js'
import { type Operation, validateOperations } from '../contract/operation.js'
import type { Projection } from '../engine/definition/projection.js'
import type { StateLocation } from '../operations/tombstones.js'

interface Model {
  /** Null if another model's projection folds it in its own commit. */
  projection: Projection | null
  reads: readonly Operation[]
}

const MODELS: readonly Model[] = [
  { projection: feedProjection, reads: [getCommunityFeed] },
  { projection: tagsProjection, reads: [getPopularTags] },
  // The feed's projection folds the landing.
  { projection: null, reads: [getCommunityLanding] },
  { projection: profilesProjection, reads: [getCreatorProfile, getCreatorFollowers, getCreatorFollowing] },
  { projection: sharesProjection, reads: [getAppShare] },
  // Read by the status document and `vitrine doctor` only.
  { projection: integrityProjection, reads: [] },
]

export const projections: Projection[] = MODELS.flatMap(({ projection }) => projection ?? [])

/** Where each model keeps its creators and creations, and so their tombstones. */
export const STATE_LOCATIONS: readonly StateLocation[] = projections.flatMap(({ name, state: { creator, creation } }) =>
  [creator, creation].flatMap((state) => (state === undefined ? [] : [{ model: name, collection: state.collection }])),
)

/** REST, batch, MCP and every published description are made from this list, in this order. */
export const publicReads: readonly Operation[] = validateOperations(MODELS.flatMap(({ reads }) => reads))

/** The models that any public read reads. */
export const READ_MODELS: readonly string[] = [...new Set(publicReads.flatMap(({ models }) => models))]
