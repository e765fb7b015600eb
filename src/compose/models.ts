/** What events mean: pure folds, one folder each. No I/O, no clock, no randomness. */
import { feedProjection } from '../../projections/feed/index.js'
import { integrityProjection } from '../../projections/integrity/index.js'
import { profilesProjection } from '../../projections/profiles/index.js'
import { sharesProjection } from '../../projections/shares/index.js'
import { tagsProjection } from '../../projections/tags/index.js'

export const projections = [feedProjection, tagsProjection, profilesProjection, sharesProjection, integrityProjection]
