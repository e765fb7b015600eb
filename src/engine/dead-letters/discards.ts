import { z } from 'zod'
import type { Decoded, Position } from '../../events/index.js'
import type { DocumentStore, GenerationStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { deadLetterRef, deadLetters } from '../definition/dead-letter-collections.js'
import { type DecodedRecord, recordAt } from '../fold/log-page.js'

/** An operator's permanent decision that one projection leaves out one event, in every generation. */
const Discard = z.object({
  projection: z.string(),
  position: z.number(),
  /** Older releases have not recorded it. */
  eventId: z.string().optional(),
  reason: z.string(),
  at: z.number(),
})
export type Discard = z.infer<typeof Discard>

/** The kind of their control records. They are in no generation and cannot be rebuilt from the log, so a copied store needs them. */
export const DISCARDS = 'discard'

export async function listDiscards(store: DocumentStore, projection: string): Promise<Discard[]> {
  const discards = (await store.controlRecords(DISCARDS)).map(({ value }) => Discard.parse(value))
  return discards.filter((discard) => discard.projection === projection)
}

/** A second discard of the same event keeps the first reason. */
export async function recordDiscard(
  store: DocumentStore,
  projection: string,
  position: number,
  reason: string,
  eventId?: string,
): Promise<void> {
  const value: Discard = { projection, position, reason, at: Date.now(), ...(eventId === undefined ? {} : { eventId }) }
  await store.putControlRecord({ kind: DISCARDS, id: `${projection}/${String(position).padStart(16, '0')}`, revision: 0, value })
}

/** Forgets the discards that are not known to be of events of this log: another event, perhaps a removal, may be at the position. */
export async function dropForeignDiscards(store: DocumentStore, log: EventLog): Promise<Discard[]> {
  const dropped: Discard[] = []
  for (const { id, value } of await store.controlRecords(DISCARDS)) {
    const discard = Discard.parse(value)
    const record = await recordAt(log, discard.position as Position)
    if (record !== null && record.id === discard.eventId) continue
    await store.deleteControlRecord(DISCARDS, id)
    dropped.push(discard)
  }
  return dropped
}

/** The discarded events of one projection. */
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

  readonly markDiscarded = (events: readonly DecodedRecord[]): readonly DecodedRecord[] => {
    if (this.#positions.size === 0) return events
    return events.map((event) => (this.has(event.record.position) ? { ...event, decoded: asDiscarded(event.decoded) } : event))
  }
}

function asDiscarded(decoded: Decoded): Decoded {
  const known = decoded.outcome === 'event' ? decoded.event : decoded.arrival
  if (known === null) return { outcome: 'discarded', arrival: null }
  const { id, aggregate, kind, key, sequence, position } = known
  return { outcome: 'discarded', arrival: { id, aggregate, kind, key, sequence, position, unused: true } }
}

/**
 * Whether a generation has folded an event before it was discarded: it counts the events it left out, and these are
 * fewer than were discarded up to its position. May be wrong for a parked event that a removal released; a rebuild is
 * right then, too.
 */
export async function hasFoldedDiscarded(opened: GenerationStore, log: EventLog, discards: readonly Discard[]): Promise<boolean> {
  const { position: reached, tallies } = await opened.checkpoint()
  const leftOut = tallies.discarded ?? 0
  const past = discards.filter(({ position }) => position <= reached)
  if (past.length <= leftOut) return false
  let due = 0
  for (const { position } of past) {
    const record = await recordAt(log, position as Position)
    // The log may have dropped old events, and a dead letter is not folded.
    if (record === null) continue
    const [letter] = await opened.get(deadLetters, [deadLetterRef(record).id])
    if (letter === undefined) due += 1
  }
  return due > leftOut
}
