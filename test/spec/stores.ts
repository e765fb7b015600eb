import type { GenerationStore } from '../../src/ports/document-store.js'

/** A store as a plain object, so that a test can replace one of its methods. */
export function delegatingStore(store: GenerationStore): GenerationStore {
  return {
    generation: store.generation,
    get: (collection, ids) => store.get(collection, ids),
    range: (collection, query) => store.range(collection, query),
    ids: (collection, query) => store.ids(collection, query),
    count: (collection, query, atMost) => store.count(collection, query, atMost),
    checkpoint: () => store.checkpoint(),
    fence: (epoch) => store.fence(epoch),
    commit: (commit) => store.commit(commit),
    buildIndexes: () => store.buildIndexes(),
    close: () => store.close(),
  }
}
