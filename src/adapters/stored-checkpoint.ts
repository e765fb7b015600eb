import { START } from '../ports/event-log.js'
import type { Checkpoint } from '../ports/models.js'

/** Before the first event. */
export const INITIAL_CHECKPOINT: Checkpoint = {
  position: START,
  eventId: null,
  slice: null,
  epoch: 0,
  tallies: {},
  floor: START,
}

/** What fencing compares: a commit must start exactly at the stored checkpoint. */
export function sameCheckpoint(a: Checkpoint, b: Checkpoint): boolean {
  return a.epoch === b.epoch && a.position === b.position && a.slice?.step === b.slice?.step && a.slice?.afterId === b.slice?.afterId
}

export const describeCheckpoint = ({ position, epoch, slice }: Checkpoint): string =>
  `position ${position}${slice ? ` slice ${slice.step}/${slice.afterId}` : ''}, epoch ${epoch}`
