import type { Position } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import type { Collection, Doc, DocumentStore, GenerationStore, Write } from '../../ports/document-store.js'
import { deadLetterAt } from '../dead-letters/dead-letter-queries.js'
import { listDiscards, recordDiscard } from '../dead-letters/discards.js'
import { type ReplayResult, replayParked } from '../dead-letters/replay-parked.js'
import { listParkedAggregates } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { readStored } from '../definition/scan-documents.js'
import { recordAt } from '../fold/log-page.js'
import { withGeneration } from '../fold/open-generation.js'
import { checkDocument } from '../fold/unit-of-work.js'
import type { LiveGeneration } from '../generations/build-generation.js'
import { differences } from '../replay/compare-documents.js'
import { type RequestContext, type RequestOf, RequestStore } from './request-store.js'

/** Folds dead letters again. */
export async function executeReplay(context: RequestContext, request: RequestOf<'replay'>, live: LiveGeneration): Promise<boolean> {
  const { projection, requests } = context
  const { aggregate, limit, from = 0 } = request.order
  // An event up to `from` may yet be parked. Another version's generation never gets there, and is refused below.
  if (live.generation.version === projection.version && live.position < from) return false
  const result = await replayInLive(context, live, (parked) => {
    const chosen = aggregate === null ? parked : parked.filter((each) => each === aggregate)
    return chosen.slice(0, limit ?? undefined)
  })
  if (typeof result === 'string') await requests.finish(request, 'failed', result)
  else await requests.finish(request, 'done', describe(result))
  return true
}

/** Returns a sentence where it cannot be done. */
async function replayInLive(
  { store, projection, log, withLongLease, progressed, lease }: RequestContext,
  { generation: live }: LiveGeneration,
  choose: (parked: string[]) => string[],
): Promise<ReplayResult | string> {
  if (live.version !== projection.version) return `the live generation is of version ${live.version}, which this code cannot fold into`
  return withGeneration(store, live, projection.collections, async (generation) => {
    const parked = await listParkedAggregates(generation)
    return replayParked({ projection, store, log, generation, withLongLease, progressed }, lease.epoch, choose(parked))
  })
}

function describe({ events, aggregates, parked }: ReplayResult): string {
  const replayed = `replayed ${plural(events, 'event')} of ${plural(aggregates, 'aggregate')}`
  return parked === 0 ? replayed : `${replayed}: ${parked} still cannot be folded`
}

/** Records that an event counts as if it had never been, and folds the other dead letters of its aggregate again. */
export async function executeDiscard(context: RequestContext, request: RequestOf<'discard'>, live: LiveGeneration): Promise<boolean> {
  const { position, reason, folded = false } = request.order
  const { store, projection, log, requests } = context
  const record = await recordAt(log, position as Position)
  if (record === null) {
    await requests.finish(request, 'failed', `the log has no event at position ${position}`)
    return false
  }
  const letter = await deadLetterAt(store, projection.name, position)
  const earlier = await isDiscarded(store, projection, position)
  if (!folded && !(await isSetAside(store, projection, position))) {
    const why = `the event of ${record.subject} at position ${position} is no dead letter, and no rebuild has tripped over it`
    await requests.finish(request, 'failed', `${why}: nothing was discarded`)
    return false
  }
  await recordDiscard(store, projection.name, position, reason, record.id)
  const result = await replayInLive(context, live, (parked) => parked.filter((aggregate) => aggregate === letter?.aggregate))
  const half =
    letter?.slice === undefined ? '' : `; its fan-out had stopped half-way: "vitrine rebuild ${projection.name}" undoes that half`
  const outcome = describeDiscard(result, earlier)
  await requests.finish(request, 'done', `discarded ${record.subject} at position ${position}: ${outcome}${half}`)
  return true
}

function describeDiscard(result: ReplayResult | string, earlier: boolean): string {
  // The live generation is of another version and stays as it is. The discard holds all the same.
  if (typeof result === 'string') return `${result}; rebuilds will leave it out`
  const { aggregates, events, parked } = result
  if (aggregates === 0) return earlier ? 'that was decided before' : 'it is no dead letter, so only rebuilds will leave it out'
  const released = events - 1 - parked
  const others = released === 0 ? '' : `${plural(released, 'other event was', 'other events were')} folded, `
  return `${others}${parked === 0 ? 'no dead letter is' : plural(parked, 'dead letter is', 'dead letters are')} left`
}

/** Whether the event is a dead letter, was discarded before, or made a rebuild fail. */
export async function isSetAside(store: DocumentStore, projection: Projection, position: number): Promise<boolean> {
  if ((await deadLetterAt(store, projection.name, position)) !== undefined) return true
  if (await isDiscarded(store, projection, position)) return true
  const requests = await new RequestStore(store).all(projection.name)
  return requests.some(({ poison }) => poison.some((each) => each.position === position))
}

export async function isDiscarded(store: DocumentStore, projection: Projection, position: number): Promise<boolean> {
  return (await listDiscards(store, projection.name)).some((each) => each.position === position)
}

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
