/** What events mean: pure folds, one folder each. No I/O, no clock, no randomness. */
import { feed } from './feed/index.js'
import { integrityProjection } from './integrity/index.js'
import { profilesProjection } from './profiles/index.js'
import { sharesProjection } from './shares/index.js'
import { tagsProjection } from './tags/index.js'

export const projections = [feed, tagsProjection, profilesProjection, sharesProjection, integrityProjection]
