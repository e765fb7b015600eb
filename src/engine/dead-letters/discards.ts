import { z } from 'zod'
import type { Position } from '../../events/index.js'
import type { DocumentStore, GenerationStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { deadLetterRef, deadLetters } from '../definition/dead-letter-collections.js'
import { type DecodedRecord, recordAt } from '../fold/log-reader.js'

/**
 * That an event of the log counts, for one projection, as if it had never been. Decided by a person, by its position,
 * for good: every generation that is ever built leaves it out.
 */
const Discard = z.object({ projection: z.string(), position: z.number(), reason: z.string(), at: z.number() })
export type Discard = z.infer<typeof Discard>

const KIND = 'discard'

export async function listDiscards(store: DocumentStore, projection: string): Promise<Discard[]> {
  const decided = (await store.controlRecords(KIND)).map(({ value }) => Discard.parse(value))
  return decided.filter((discard) => discard.projection === projection)
}

/** Deciding twice keeps the first reason. */
export async function recordDiscard(store: DocumentStore, projection: string, position: number, reason: string): Promise<void> {
  const value: Discard = { projection, position, reason, at: Date.now() }
  await store.putControlRecord({ kind: KIND, id: `${projection}/${String(position).padStart(16, '0')}`, revision: 0, value })
}

/** Brings what was decided to another store: it is no part of any generation, and cannot be built from the log again. */
export async function copyDiscards(from: DocumentStore, to: DocumentStore): Promise<void> {
  for (const { kind, id, value } of await from.controlRecords(KIND)) await to.putControlRecord({ kind, id, revision: 0, value })
}

/** What has been decided about the events of one projection. */
export class Discards {
  readonly #positions: ReadonlySet<number>

  static async load(store: DocumentStore, projection: string): Promise<Discards> {
    return new Discards(await listDiscards(store, projection))
  }

  constructor(discards: readonly Discard[]) {
    this.#positions = new Set(discards.map(({ position }) => position))
  }

  get count(): number {
    return this.#positions.size
  }

  has(position: Position | number): boolean {
    return this.#positions.has(position)
  }

  /** The events as they are to be folded. */
  markDiscarded(events: readonly DecodedRecord[]): readonly DecodedRecord[] {
    if (this.#positions.size === 0) return events
    return events.map((event) => (this.has(event.record.position) ? { ...event, decoded: { outcome: 'discarded' } } : event))
  }
}

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
    const record = await recordAt(log, position as Position)
    // A log may have lost events by now, and one that waits behind another is not folded.
    if (record === null) continue
    const [waiting] = await opened.get(deadLetters, [deadLetterRef(record).id])
    if (waiting === undefined) due += 1
  }
  return due > leftOut
}
