import type { LogRecord } from '../../src/ports/event-log.js'
import { decode } from '../support/decode.js'

/** For every aggregate, the sequences below its highest under which nothing has arrived, as inclusive ranges. None of what was removed. */
export function missingSequences(records: readonly LogRecord[]): Map<string, [from: number, to: number][]> {
  const arrived = new Map<string, Set<number>>()
  const removed = new Set<string>()
  for (const record of records) {
    const decoded = decode(record)
    const known = decoded.outcome === 'event' ? decoded.event : decoded.arrival
    if (decoded.outcome === 'event' && decoded.event.name.endsWith('.removed')) removed.add(decoded.event.aggregate)
    if (known !== null) arrived.set(known.aggregate, (arrived.get(known.aggregate) ?? new Set()).add(known.sequence))
  }
  return new Map(
    [...arrived].map(([aggregate, sequences]) => [
      aggregate,
      removed.has(aggregate) ? [] : gapsBetween([0, ...sequences].sort((a, b) => a - b)),
    ]),
  )
}

function gapsBetween(sequences: readonly number[]): [from: number, to: number][] {
  return sequences.flatMap((sequence, i): [number, number][] => {
    const next = sequences[i + 1] ?? sequence + 1
    return next > sequence + 1 ? [[sequence + 1, next - 1]] : []
  })
}
