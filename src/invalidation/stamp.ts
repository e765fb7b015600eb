import { createHash } from 'node:crypto'
import type { Checkpoint } from '../ports/document-store.js'

/** Names one moment of a generation: the same for the same checkpoint, whatever store it has been in. */
export function checkpointFingerprint({ position, eventId, slice, epoch, tallies, floor }: Checkpoint): string {
  const counted = Object.entries(tallies).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([position, eventId, slice?.step, slice?.afterId, epoch, floor, counted])
  return createHash('sha1').update(text).digest('base64url').slice(0, 16)
}
