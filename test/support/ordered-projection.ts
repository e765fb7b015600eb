import type { Projection } from '../../src/engine/definition/projection.js'

/** The same folds, but events of an aggregate count in order only: a dead letter parks it, and later events wait. */
export const ordered = (projection: Projection): Projection => ({ ...projection, orderFree: false })
