import { fnv1a } from '../../src/lib/hash.js'

/**
 * A short hash of the event's id is kept for every sequence, to tell whether it comes again with the same event or with another
 * one. 64 hashes of fixed width make one text, a chunk. An aggregate's document has the newest chunk, the others are stored apart.
 */
const IDS_PER_CHUNK = 64
const WIDTH = 5
const HASHES = 36 ** WIDTH

/** No event has arrived under this sequence. */
export const NO_ID = ' '.repeat(WIDTH)
/** Only an event that no model uses has arrived: another one takes its place. */
export const UNUSED_ID = '~'.repeat(WIDTH)

export const shortHash = (id: string): string => (fnv1a(id) % HASHES).toString(36).padStart(WIDTH, '0')

export const chunkOf = (sequence: number): number => Math.floor(sequence / IDS_PER_CHUNK)

export const chunkId = (aggregate: string, sequence: number): string => `${aggregate}~${chunkOf(sequence)}`

export const isFirstOfChunk = (sequence: number): boolean => sequence % IDS_PER_CHUNK === 0

export function idAt(ids: string, sequence: number): string {
  const at = (sequence % IDS_PER_CHUNK) * WIDTH
  return ids.slice(at, at + WIDTH).padEnd(WIDTH)
}

export function withIdAt(ids: string, sequence: number, id: string): string {
  const at = (sequence % IDS_PER_CHUNK) * WIDTH
  // The usual case: the next sequence.
  if (ids.length === at) return ids + id
  return ids.slice(0, at).padEnd(at) + id + ids.slice(at + WIDTH)
}
