/** What models of your own may use: `import { … } from 'vitrine'`. Kept stable by semantic versioning from 1.0 on. */

export { z } from 'zod'
export { collection, LocalizedText, living, Tombstone, tombstone } from '../readmodels/collection.js'
export { type DemoCommunity, defineModels, type OwnModel, type OwnModels, type Read, read } from './compose/models/define-models.js'
export { type CursorQuery, decodeCursor, encodeCursor, type PageKey } from './contract/cursor.js'
export { invalid, notFound } from './contract/errors.js'
export { locale } from './contract/fields.js'
export { bestLocale } from './contract/locale.js'
export type { ReadContext } from './contract/operation.js'
export { type Docs, nestedSweep, type Projection, projection, type Ref, ref, stateIn, sweep } from './engine/definition/projection.js'
export {
  type AnyEvent,
  type CreationId,
  type CreatorId,
  type EventData,
  type EventName,
  type EventOf,
  event,
  type OwnEvent,
  type Position,
} from './events/index.js'
export { olderVersion } from './events/upcasters.js'
export { SequenceGaps } from './lib/sequence-gaps.js'
export type { Collection, Doc, IndexSpec } from './ports/document-store.js'
