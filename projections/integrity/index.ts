/** Checks that upstream sends each aggregate's sequences in order, once, without gaps. */
import { type ArrivalsDoc, arrivals, type IntegrityDoc, integrity, SUMMARY } from '../../readmodels/integrity/documents.js'
import { type Fold, projection, ref } from '../../src/engine/definition/projection.js'
import { EVENT_NAMES, type EventName } from '../../src/events/index.js'

/** Further gaps are merged into the last one, so that the document stays small. */
const MAX_RANGES = 100

const blankArrivals = (aggregate: string): ArrivalsDoc => ({ _id: aggregate, last: 0, missing: [], gapSince: null, late: 0, duplicates: 0 })

const BLANK_SUMMARY: IntegrityDoc = { _id: SUMMARY, aggregates: 0, gaps: 0, late: 0, duplicates: 0 }

const arrived: Fold<EventName> = {
  touches: ({ aggregate }) => [ref(arrivals, aggregate), ref(integrity, SUMMARY)],
  apply({ aggregate, sequence, position }, docs) {
    const known = docs.get(arrivals, aggregate)
    const before = known ?? blankArrivals(aggregate)
    const after = recordArrival(before, sequence, position)
    docs.put(arrivals, after)
    // The usual case: the next sequence of a known aggregate.
    if (known !== undefined && after.gapSince === before.gapSince && after.late === before.late && after.duplicates === before.duplicates)
      return
    const summary = docs.get(integrity, SUMMARY) ?? BLANK_SUMMARY
    docs.put(integrity, {
      ...summary,
      aggregates: summary.aggregates + (known === undefined ? 1 : 0),
      gaps: summary.gaps + (after.gapSince === null ? 0 : 1) - (before.gapSince === null ? 0 : 1),
      late: summary.late + after.late - before.late,
      duplicates: summary.duplicates + after.duplicates - before.duplicates,
    })
  },
}

function recordArrival(doc: ArrivalsDoc, sequence: number, position: number): ArrivalsDoc {
  // The usual case. A literal is faster than spreading.
  if (sequence === doc.last + 1) {
    const { _id, missing, gapSince, late, duplicates } = doc
    return { _id, last: sequence, missing, gapSince, late, duplicates }
  }
  if (sequence > doc.last) {
    return { ...doc, last: sequence, missing: addRange(doc.missing, [doc.last + 1, sequence - 1]), gapSince: doc.gapSince ?? position }
  }
  const missing = doc.missing.flatMap((range) => without(range, sequence))
  const filled =
    missing.length !== doc.missing.length || missing.some(([from, to], i) => from !== doc.missing[i]?.[0] || to !== doc.missing[i]?.[1])
  if (!filled) return { ...doc, duplicates: doc.duplicates + 1 }
  return { ...doc, missing, gapSince: missing.length === 0 ? null : doc.gapSince, late: doc.late + 1 }
}

type Range = [from: number, to: number]

function addRange(missing: readonly Range[], range: Range): Range[] {
  const last = missing.at(-1)
  if (last === undefined || missing.length < MAX_RANGES) return [...missing, range]
  return [...missing.slice(0, -1), [last[0], range[1]]]
}

function without([from, to]: Range, sequence: number): Range[] {
  if (sequence < from || sequence > to) return [[from, to]]
  const left: Range[] = sequence > from ? [[from, sequence - 1]] : []
  const right: Range[] = sequence < to ? [[sequence + 1, to]] : []
  return [...left, ...right]
}

export const integrityProjection = projection({
  name: 'integrity',
  version: 1,
  collections: [arrivals, integrity],
  // No state documents: the guard against duplicates would hide the duplicates.
  state: {},
  on: Object.fromEntries(EVENT_NAMES.map((name) => [name, arrived])),
})
