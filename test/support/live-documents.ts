import { withDeadLetters } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import { liveGeneration, withGeneration } from '../../src/engine/fold/open-generation.js'
import type { Collection, DocumentStore, Generation, GenerationStore } from '../../src/ports/document-store.js'
import { type Dump, dumpOf } from './dump.js'

/** The generation that readers see. */
export async function liveOf(store: DocumentStore, { name }: Projection): Promise<Generation> {
  const live = await liveGeneration(store, name)
  if (live === null) throw new Error(`${name} is not live`)
  return live
}

/** Opens the live generation, with its dead letters, for as long as the work takes. */
export async function withLive<T>(
  store: DocumentStore,
  projection: Projection,
  work: (opened: GenerationStore, collections: readonly Collection[]) => Promise<T>,
): Promise<T> {
  const { collections } = withDeadLetters(projection)
  return withGeneration(store, await liveOf(store, projection), collections, (opened) => work(opened, collections))
}

/** All documents of the live generation. */
export const dumpLive = (store: DocumentStore, projection: Projection): Promise<Dump> =>
  withLive(store, projection, (opened, collections) => dumpOf(collections, opened))
