import type { Position } from '../../events/index.js'
import type { GenerationStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { deadLetterRef, deadLetters } from '../definition/dead-letter-collections.js'
import type { Discard } from './discards.js'

/**
 * Whether a generation that was filled from the beginning of the log has folded an event that was discarded only
 * afterwards. It has counted those that it left out; where that are fewer than it should have come past, one was folded. Of
 * one that was parked, and let go by a removal, that may be said as well: filling it anew is right in any case.
 */
export async function hasFoldedDiscarded(opened: GenerationStore, log: EventLog, discards: readonly Discard[]): Promise<boolean> {
  const { position: reached, tallies } = await opened.checkpoint()
  const leftOut = tallies.discarded ?? 0
  const past = discards.filter(({ position }) => position <= reached)
  if (past.length <= leftOut) return false
  let due = 0
  for (const { position } of past) {
    const [record] = await log.read((position - 1) as Position, 1)
    // A log may have lost events by now, and one that waits behind another is not folded.
    if (record?.position !== position) continue
    const [waiting] = await opened.get(deadLetters, [deadLetterRef(record).id])
    if (waiting === undefined) due += 1
  }
  return due > leftOut
}
