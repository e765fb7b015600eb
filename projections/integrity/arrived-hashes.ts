import { fnv1a } from '../../src/lib/hash.js'

/**
 * A short hash of the event's id is kept for every sequence, to tell whether it comes again with the same event or with another
 * one. 64 hashes of fixed width make one text, a chunk. An aggregate's document has the newest chunk, the others are stored apart.
 */
const HASHES_PER_CHUNK = 64
const WIDTH = 5
const POSSIBLE = 36 ** WIDTH

/** No event has arrived under this sequence. */
export const NO_HASH = ' '.repeat(WIDTH)
/** Only an event that no model uses has arrived: another one takes its place. */
export const UNUSED_HASH = '~'.repeat(WIDTH)

export const shortHash = (id: string): string => (fnv1a(id) % POSSIBLE).toString(36).padStart(WIDTH, '0')

export const chunkOf = (sequence: number): number => Math.floor(sequence / HASHES_PER_CHUNK)

export const chunkId = (aggregate: string, sequence: number): string => `${aggregate}~${chunkOf(sequence)}`

export const isFirstOfChunk = (sequence: number): boolean => sequence % HASHES_PER_CHUNK === 0

export function hashAt(ids: string, sequence: number): string {
  const at = (sequence % HASHES_PER_CHUNK) * WIDTH
  return ids.slice(at, at + WIDTH).padEnd(WIDTH)
}

export function withHashAt(ids: string, sequence: number, hash: string): string {
  const at = (sequence % HASHES_PER_CHUNK) * WIDTH
  // The usual case: the next sequence.
  if (ids.length === at) return ids + hash
  return ids.slice(0, at).padEnd(at) + hash + ids.slice(at + WIDTH)
}
