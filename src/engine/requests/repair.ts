import { plural } from '../../lib/message-text.js'
import type { Collection, Doc, GenerationStore, Write } from '../../ports/document-store.js'
import type { Projection } from '../definition/projection.js'
import { readStored } from '../definition/scan-documents.js'
import { withGeneration } from '../fold/open-generation.js'
import { checkDocument } from '../fold/unit-of-work.js'
import type { LiveGeneration } from '../generations/build-generation.js'
import { differences } from '../replay/compare-documents.js'
import type { RequestContext, RequestOf } from './request-store.js'

/** Writes documents as the log says they should be. */
export async function executeRepair(context: RequestContext, request: RequestOf<'repair'>, live: LiveGeneration): Promise<boolean> {
  const { store, projection, requests, lease } = context
  const { generation } = live
  if (generation.version !== projection.version) {
    await requests.finish(request, 'failed', `the live generation is of version ${generation.version}, not ${projection.version}`)
    return false
  }
  const { repaired, moved } = await withGeneration(store, generation, projection.collections, (opened) =>
    repairDocuments(projection, opened, lease.epoch, request.order),
  )
  const outcome = `rewrote ${plural(repaired, 'document')}${moved > 0 ? `; ${moved} had changed since` : ''}`
  await requests.finish(request, 'done', outcome)
  return true
}

/** One fenced commit. No writer may be open on the generation, and no cache may show anything older. */
async function repairDocuments(
  projection: Projection,
  generation: GenerationStore,
  epoch: number,
  { documents }: RequestOf<'repair'>['order'],
) {
  const checkpoint = await generation.fence(epoch)
  const writes: Write[] = []
  for (const { collection: name, id, found, unreadable = false, right } of documents) {
    const collection = collectionNamed(projection, name)
    const [kept] = await readStored(generation, collection, [id])
    const isUnreadable = kept !== undefined && 'unreadable' in kept
    const stored = isUnreadable ? { _id: id } : kept?.doc
    if (isUnreadable !== unreadable || (!unreadable && differences(stored ?? null, found).length > 0)) continue
    // The request was made from a document of this collection.
    const after = (right ?? undefined) as Doc | undefined
    if (after !== undefined) checkDocument(collection, after)
    writes.push({ collection, id, before: stored, after })
  }
  const { tallies } = checkpoint
  await generation.commit({
    from: checkpoint,
    // Counted, so that the checkpoint changes even if nothing else has since the last repair.
    to: {
      ...checkpoint,
      floor: checkpoint.position,
      tallies: { ...tallies, repaired: (tallies.repaired ?? 0) + writes.length },
    },
    writes,
  })
  // An event has changed the others since they were compared.
  return { repaired: writes.length, moved: documents.length - writes.length }
}

function collectionNamed({ name: projection, collections }: Projection, name: string): Collection {
  const found = collections.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`${projection} has no collection ${name}`)
  return found
}
