/** The models of an installation without custom ones. */
import { modelSet } from '../../src/compose/models/model-set.js'

export const builtInSet = modelSet()
export const { projections, reads: publicReads, names: MODEL_NAMES, readModels: READ_MODELS, stateLocations: STATE_LOCATIONS } = builtInSet
