import type { Collection, Doc, GenerationStore, Write } from '../../ports/document-store.js'
import { checkDocument } from '../definition/check-document.js'
import type { Projection } from '../definition/projection.js'
import { differences } from '../replay/compare-documents.js'
import { readStored } from '../replay/scan-collection.js'
import type { Order } from './request-store.js'

export interface RepairResult {
  repaired: number
  /** Left alone: an event has changed them since they were compared. */
  moved: number
}

/**
 * Writes documents as the log says they should be, in one fenced commit. No session may be at work on the generation
 * meanwhile; it would not know. No cache may show anything from before.
 */
export async function repairDocuments(
  projection: Projection,
  generation: GenerationStore,
  epoch: number,
  { documents, indexes = [] }: Pick<Extract<Order, { kind: 'repair' }>, 'documents' | 'indexes'>,
): Promise<RepairResult> {
  const checkpoint = await generation.fence(epoch)
  const writes: Write[] = []
  for (const { collection: name, id, found, unreadable = false, right } of documents) {
    const collection = collectionNamed(projection, name)
    const [kept] = await readStored(generation, collection, [id])
    const isUnreadable = kept !== undefined && 'unreadable' in kept
    // Nothing is known of it but that it is there.
    const stored = isUnreadable ? { _id: id } : kept?.doc
    if (isUnreadable !== unreadable || (!unreadable && differences(stored ?? null, found).length > 0)) continue
    // Whoever compared has read it from a document of this very collection.
    const after = (right ?? undefined) as Doc | undefined
    if (after !== undefined) checkDocument(collection, after)
    writes.push({ collection, id, before: stored, after })
  }
  const { tallies } = checkpoint
  const { derived } = projection
  // What it derives from, or the derived document itself, may be what could not be read, or not be found.
  const blind = documents.some(({ unreadable }) => unreadable) || indexes.length > 0
  const deriving = derived !== undefined && (blind || (await derived.mayChange(writes, generation)))
  await generation.commit({
    from: checkpoint,
    // Counted, so that the checkpoint is another one even when nothing else has happened since the last repair.
    to: {
      ...checkpoint,
      floor: checkpoint.position,
      tallies: { ...tallies, repaired: (tallies.repaired ?? 0) + writes.length + indexes.length },
    },
    writes,
    reindex: indexes.map(({ collection, index }) => ({ collection: collectionNamed(projection, collection), index })),
    ...(deriving ? { computeDerived: (reads) => derived.compute(reads) } : {}),
  })
  return { repaired: writes.length, moved: documents.length - writes.length }
}

function collectionNamed({ name: projection, collections }: Projection, name: string): Collection {
  const found = collections.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`${projection} has no collection ${name}`)
  return found
}
