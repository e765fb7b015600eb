/**
 * Checks by the envelopes alone that every sequence of every aggregate arrives once. No other model depends on it. A sequence is
 *
 * - above all others: the next one, or it leaves a gap of missing ones
 * - missing: it is late, and fills the gap. At most 1,000 gaps are kept; then the oldest is given up.
 * - known with the same event: a duplicate; known with another: a conflict
 * - of an event that no model uses (discarded, or poison): it fills its place until a used one comes, which counts as late
 * - of a removed aggregate: nothing is missing any more
 *
 * The one model that is folded by hand, because it goes by envelopes: `touches` and `also` name what to load, `apply` changes it.
 */
import {
  type ArrivalsDoc,
  arrivals,
  arrivedIds,
  BLANK_SUMMARY,
  conflicts,
  integrity,
  SUMMARY,
} from '../../readmodels/integrity/documents.js'
import { type ArrivalFold, type Docs, projection, ref } from '../../src/engine/definition/projection.js'
import { type Arrival, isAbsurdSequence, REMOVAL_EVENTS } from '../../src/events/index.js'
import { addGap, fillGap, gapSize, hasGapAt } from '../../src/lib/sequence-gaps.js'
import { chunkId, chunkOf, hashAt, isFirstOfChunk, NO_HASH, shortHash, UNUSED_HASH, withHashAt } from './arrived-hashes.js'

const blankArrivals = (aggregate: string): ArrivalsDoc => ({
  _id: aggregate,
  last: 0,
  missing: [],
  gapSince: null,
  givenUp: 0,
  late: 0,
  lateAt: null,
  duplicates: 0,
  conflicts: 0,
  removed: false,
  ids: '',
})

const conflictId = ({ aggregate, sequence, id }: Arrival): string => `${aggregate}~${sequence}~${shortHash(id)}`

const onArrival: ArrivalFold = {
  touches: ({ aggregate, sequence }) => [
    ref(arrivals, aggregate),
    ref(integrity, SUMMARY),
    // The chunk before, which is stored when the next one begins.
    ...(isFirstOfChunk(sequence) ? [ref(arrivedIds, chunkId(aggregate, sequence - 1))] : []),
  ],
  also(arrival, docs) {
    const { aggregate, sequence } = arrival
    const last = docs.get(arrivals, aggregate)?.last ?? 0
    if (sequence > last) return chunkOf(sequence) === chunkOf(last) ? [] : [ref(arrivedIds, chunkId(aggregate, last))]
    return [ref(arrivedIds, chunkId(aggregate, sequence)), ref(conflicts, conflictId(arrival))]
  },
  apply(arrival, docs) {
    const known = docs.get(arrivals, arrival.aggregate)
    const after = afterArrival(known ?? blankArrivals(arrival.aggregate), arrival, docs)
    docs.put(arrivals, after)
    addToSummary(docs, known, after)
  },
}

function afterArrival(doc: ArrivalsDoc, arrival: Arrival, docs: Docs): ArrivalsDoc {
  const removed = doc.removed || (arrival.name !== undefined && REMOVAL_EVENTS.has(arrival.name))
  // Only a removal may have such a sequence. It would look like a gap that nothing can fill.
  const isAbsurd = isAbsurdSequence(arrival.sequence, arrival.position)
  const after = isAbsurd ? doc : arrival.sequence > doc.last ? aboveLast(doc, arrival, docs) : upToLast(doc, arrival, docs)
  return removed ? { ...after, removed, missing: [], gapSince: null, givenUp: 0 } : after
}

const hashOf = ({ id, unused }: Arrival): string => (unused ? UNUSED_HASH : shortHash(id))

/** A sequence above all others. */
function aboveLast(doc: ArrivalsDoc, arrival: Arrival, docs: Docs): ArrivalsDoc {
  const { sequence, position } = arrival
  const sameChunk = chunkOf(sequence) === chunkOf(doc.last)
  if (!sameChunk && doc.ids !== '') docs.put(arrivedIds, { _id: chunkId(doc._id, doc.last), ids: doc.ids })
  const ids = withHashAt(sameChunk ? doc.ids : '', sequence, hashOf(arrival))
  if (sequence === doc.last + 1) return { ...doc, last: sequence, ids }
  const missing = addGap(doc.missing, doc.last, sequence)
  const givenUp = doc.givenUp + gapSize(doc.missing) + (sequence - doc.last - 1) - gapSize(missing)
  return { ...doc, last: sequence, ids, missing, givenUp, gapSince: doc.gapSince ?? position }
}

/** A sequence that is missing, was given up, or has arrived before. */
function upToLast(doc: ArrivalsDoc, arrival: Arrival, docs: Docs): ArrivalsDoc {
  const { sequence, position } = arrival
  const hash = arrivedHash(doc, sequence, docs)
  if (hash === NO_HASH || (hash === UNUSED_HASH && !arrival.unused)) {
    const missing = fillGap(doc.missing, sequence)
    const wasGivenUp = hash === NO_HASH && !hasGapAt(doc.missing, sequence)
    const givenUp = doc.givenUp - (wasGivenUp ? 1 : 0)
    return {
      ...setArrivedHash(doc, arrival, docs),
      missing,
      gapSince: missing.length === 0 && givenUp === 0 ? null : doc.gapSince,
      givenUp,
      late: doc.late + 1,
      lateAt: position,
    }
  }
  // Discarded or poison, and its sequence has arrived: nothing is wrong any more.
  if (arrival.unused) return doc
  if (hash === shortHash(arrival.id) || docs.get(conflicts, conflictId(arrival)) !== undefined)
    return { ...doc, duplicates: doc.duplicates + 1 }
  docs.put(conflicts, { _id: conflictId(arrival), aggregate: doc._id, sequence, position, eventId: arrival.id })
  return { ...doc, conflicts: doc.conflicts + 1 }
}

const isInNewestChunk = ({ last }: ArrivalsDoc, sequence: number): boolean => chunkOf(sequence) === chunkOf(last)

function arrivedHash(doc: ArrivalsDoc, sequence: number, docs: Docs): string {
  const ids = isInNewestChunk(doc, sequence) ? doc.ids : docs.get(arrivedIds, chunkId(doc._id, sequence))?.ids
  return hashAt(ids ?? '', sequence)
}

function setArrivedHash(doc: ArrivalsDoc, arrival: Arrival, docs: Docs): ArrivalsDoc {
  const { sequence } = arrival
  if (isInNewestChunk(doc, sequence)) return { ...doc, ids: withHashAt(doc.ids, sequence, hashOf(arrival)) }
  const _id = chunkId(doc._id, sequence)
  docs.put(arrivedIds, { _id, ids: withHashAt(docs.get(arrivedIds, _id)?.ids ?? '', sequence, hashOf(arrival)) })
  return doc
}

const COUNTED = ['givenUp', 'late', 'duplicates', 'conflicts'] as const

function addToSummary(docs: Docs, known: ArrivalsDoc | undefined, after: ArrivalsDoc): void {
  const before = known ?? blankArrivals(after._id)
  const aggregates = known === undefined ? 1 : 0
  const gaps = (after.gapSince === null ? 0 : 1) - (before.gapSince === null ? 0 : 1)
  // The usual case: the next sequence of a known aggregate.
  if (aggregates === 0 && gaps === 0 && COUNTED.every((field) => after[field] === before[field])) return
  const sum = docs.get(integrity, SUMMARY) ?? BLANK_SUMMARY
  const summed = { ...sum, aggregates: sum.aggregates + aggregates, gaps: sum.gaps + gaps }
  for (const field of COUNTED) summed[field] += after[field] - before[field]
  docs.put(integrity, summed)
}

export const integrityProjection = projection({
  name: 'integrity',
  version: 3,
  collections: [arrivals, arrivedIds, conflicts, integrity],
  state: {},
  on: {},
  onArrival,
})
