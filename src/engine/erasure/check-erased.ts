import type { Position } from '../../events/index.js'
import type { DocumentStore, Generation } from '../../ports/document-store.js'
import type { Projection } from '../definition/projection.js'
import { withGeneration } from '../fold/open-generation.js'

/** It is too early to redact, or the creator has not been removed. */
export class RedactionError extends Error {
  override name = 'RedactionError'
}

/**
 * Every generation that holds creators, live or retired, must have the creator's tombstone: without it the person is still
 * there, and a model that has not folded the removal would show the word "redacted" to readers.
 */
export async function checkErased(
  store: DocumentStore,
  projections: readonly Projection[],
  creatorId: string,
  removedAt: Position,
): Promise<void> {
  for (const projection of projections) {
    for (const generation of await store.generations(projection.name)) {
      // One that is loading goes live only after it has come to the removal.
      if (generation.state !== 'loading') await checkGeneration(store, projection, generation, creatorId, removedAt)
    }
  }
}

async function checkGeneration(
  store: DocumentStore,
  { name, state: { creator } }: Projection,
  generation: Generation,
  creatorId: string,
  removedAt: Position,
): Promise<void> {
  const where = generation.state === 'live' ? name : `the retired generation ${generation.number} of ${name}`
  // Without indexes: the generation may be of another version, and must not change.
  const collections = creator === undefined ? [] : [{ ...creator.collection, indexes: [] }]
  await withGeneration(store, generation, collections, async (opened) => {
    const { position } = await opened.checkpoint()
    if (position < removedAt) throw new RedactionError(`${where} has not come to the removal at position ${removedAt} yet: try again later`)
    if (creator === undefined) return
    const [state] = await opened.get(creator.collection, [creatorId])
    if (state?.removed === true) return
    const remedy = generation.state === 'live' ? `see its dead letters, or rebuild ${name}` : `prune ${name}`
    throw new RedactionError(`${where} has no tombstone of creator/${creatorId}, so the removal was not applied there: ${remedy}`)
  })
}
