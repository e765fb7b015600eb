/** What models of your own use: `import { … } from 'vitrine'`. Kept stable by semantic versioning. */

export { z } from 'zod'
// For files that `vitrine replay` folds once.
export { collection, living, Tombstone } from '../readmodels/collection.js'
export { type DemoCommunity, defineModels, type OwnModel, type OwnModels, type Read, read } from './compose/models/define-models.js'
export { get, list } from './compose/models/get-and-list.js'
export { decodeCursor, encodeCursor } from './contract/cursor.js'
export { invalid, notFound } from './contract/errors.js'
export { locale } from './contract/fields.js'
export { bestLocale } from './contract/locale.js'
export type { ReadContext } from './contract/operation.js'
export {
  achieved,
  addTo,
  best,
  countBy,
  counts,
  declared,
  edge,
  first,
  idOf,
  latest,
  max,
  min,
  own,
  person,
  state,
  sum,
  total,
} from './engine/declared/index.js'
export { projection, ref, stateIn } from './engine/definition/projection.js'
export { olderVersion } from './events/event-type.js'
export { CreationId, CreatorId, event, id, text, words } from './events/index.js'
