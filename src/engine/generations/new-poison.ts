import type { AggregateKind } from '../../events/index.js'
import { plural } from '../../lib/plural.js'
import type { DocumentStore, Generation, GenerationStore } from '../../ports/document-store.js'
import type { Discards } from '../dead-letters/discards.js'
import { DEAD_LETTER_COLLECTIONS, deadLetters, deadLettersOf, loadParked, type ParkedDoc } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import type { PoisonedAggregate } from '../requests/request-store.js'

/** A rebuild met events that the live generation has folded, and could not. It must not go live. */
export class NewPoisonError extends Error {
  override name = 'NewPoisonError'
  constructor(readonly poison: readonly PoisonedAggregate[]) {
    const [first] = poison
    super(
      `${plural(poison.length, 'aggregate')} cannot be folded any more, such as ${first?.aggregate} at position ${first?.position}: ${first?.message}`,
    )
  }
}

interface Parts {
  projection: Projection
  store: DocumentStore
  opened: GenerationStore
  decisions: Discards
}

/** To be shown, not to be counted. */
const MAX_LISTED = 20

/**
 * Aggregates that are parked in a generation being built although the live one has come past the event without parking
 * it. On the way a later removal may still let go of one: then only those that are not removed in the live generation.
 */
export async function findNewPoison(parts: Parts, live: Generation, when: 'on the way' | 'at the end'): Promise<PoisonedAggregate[]> {
  const { projection, store, opened, decisions: discards } = parts
  const sameVersion = live.version === projection.version
  // The documents of another version may have another shape, but dead letters are always the same.
  const beside = await store.openGeneration(live, sameVersion ? projection.collections : DEAD_LETTER_COLLECTIONS)
  try {
    const { position: reached } = await beside.checkpoint()
    const found: PoisonedAggregate[] = []
    for (const { _id, position } of (await loadParked(opened)).values()) {
      if (position > reached || discards.has(position)) continue
      if (await isParked(beside, _id, position)) continue
      if (when === 'on the way' && (!sameVersion || (await isRemoved(beside, projection, _id)))) continue
      found.push({ aggregate: _id, position, message: await messageOf(opened, _id) })
      if (found.length === MAX_LISTED) break
    }
    return found
  } finally {
    await beside.close()
  }
}

async function isParked(beside: GenerationStore, aggregate: string, position: ParkedDoc['position']): Promise<boolean> {
  const [letter] = await beside.range(deadLetters, { index: 'byAggregate', equals: [aggregate], limit: 1 })
  return letter !== undefined && letter.position <= position
}

async function isRemoved(beside: GenerationStore, { state }: Projection, aggregate: string): Promise<boolean> {
  const [kind = '', key = ''] = aggregate.split('/')
  const kept = state[kind as AggregateKind]
  if (kept === undefined) return false
  const [doc] = await beside.get(kept.collection, [key])
  return doc?.removed === true
}

async function messageOf(opened: GenerationStore, aggregate: string): Promise<string> {
  return (await deadLettersOf(opened, aggregate))[0]?.error?.message ?? ''
}
