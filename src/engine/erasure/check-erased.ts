import type { Position } from '../../events/index.js'
import type { DocumentStore, Generation } from '../../ports/document-store.js'
import type { Projection } from '../definition/projection.js'
import { withGeneration } from '../fold/open-generation.js'

/** It is too early to redact, or what is to be redacted has not been removed. */
export class RedactionError extends Error {
  override name = 'RedactionError'
}

export interface Erased {
  kind: 'creator' | 'creation'
  id: string
}

/**
 * Every generation that holds creators (or creations), live or retired, must have the tombstone: without it the person is still
 * there, and a model that has not folded the removal would show the word "redacted" to readers. The creations `unread` must be
 * gone, too: a generation of an earlier release did not know whose they are.
 */
export async function checkErased(
  store: DocumentStore,
  projections: readonly Projection[],
  erased: Erased,
  removedAt: Position,
  unread: readonly string[] = [],
): Promise<void> {
  for (const projection of projections) {
    for (const generation of await store.generations(projection.name)) {
      // One that is loading goes live only after it has come to the removal.
      if (generation.state !== 'loading') await checkGeneration(store, projection, generation, erased, removedAt, unread)
    }
  }
}

async function checkGeneration(
  store: DocumentStore,
  { name, state, on }: Projection,
  generation: Generation,
  { kind, id }: Erased,
  removedAt: Position,
  unread: readonly string[],
): Promise<void> {
  const isLive = generation.state === 'live'
  const where = isLive ? name : `the retired generation ${generation.number} of ${name}`
  const { [kind]: followed, creation } = state
  // A retired generation is caught up only with removals that it knows.
  if (kind === 'creation' && creation === undefined) return
  // Without indexes: the generation may be of another version, and must not change.
  const collections = [...new Set([followed, creation])].flatMap((each) =>
    each === undefined ? [] : [{ ...each.collection, indexes: [] }],
  )
  const anew = isLive ? `"vitrine rebuild ${name}"` : `"vitrine generations ${name} --prune"`
  await withGeneration(store, generation, collections, async (opened) => {
    const { position } = await opened.checkpoint()
    if (position < removedAt) throw new RedactionError(`${where} has not come to the removal at position ${removedAt} yet: try again later`)
    if (followed === undefined) return
    const [tombstone] = await opened.get(followed.collection, [id])
    if (tombstone?.removed !== true) {
      const remedy = `${isLive ? 'see its dead letters, or ' : ''}run ${anew}`
      throw new RedactionError(`${where} has no tombstone of ${kind}/${id}, so the removal was not applied there: ${remedy}`)
    }
    if (creation === undefined || on['creation.removed'] === undefined) return
    const left = (await opened.get(creation.collection, unread)).find((doc) => doc?.removed === false)
    if (left !== undefined) throw new RedactionError(`${where} still holds creation/${left._id} of theirs: try again later, or run ${anew}`)
  })
}
