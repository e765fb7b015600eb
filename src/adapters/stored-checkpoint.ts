import type { Checkpoint } from '../ports/document-store.js'

/** Before everything. */
export const INITIAL_CHECKPOINT: Checkpoint = {
  position: 0 as Checkpoint['position'],
  eventId: null,
  slice: null,
  epoch: 0,
  tallies: {},
  floor: 0 as Checkpoint['floor'],
}

/** What fencing compares: a commit must begin exactly where the store has been left. */
export function sameCheckpoint(a: Checkpoint, b: Checkpoint): boolean {
  return a.epoch === b.epoch && a.position === b.position && a.slice?.step === b.slice?.step && a.slice?.afterId === b.slice?.afterId
}

export const describeCheckpoint = ({ position, epoch, slice }: Checkpoint): string =>
  `position ${position}${slice ? ` slice ${slice.step}/${slice.afterId}` : ''}, epoch ${epoch}`
