/** What a projection written outside of this project may use: `import { … } from 'vitrine'`. */

export { z } from 'zod'
export { collection, LocalizedText, living, Tombstone, tombstone } from '../readmodels/collection.js'
export { type Docs, nestedSweep, type Projection, projection, type Ref, ref, stateIn, sweep } from './engine/definition/projection.js'
export type { CreationId, CreatorId, EventData, EventName, EventOf, Position } from './events/index.js'
export type { Collection, Doc, IndexSpec } from './ports/document-store.js'
