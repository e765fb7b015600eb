import { z } from 'zod'
import type { AggregateKind } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import type { DocumentStore, Generation, GenerationStore } from '../../ports/document-store.js'
import type { Discards } from '../dead-letters/discards.js'
import { DEAD_LETTER_COLLECTIONS, deadLetters, deadLettersOf, loadParked, type ParkedDoc } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { withGeneration } from '../fold/open-generation.js'

/** Stored in requests. */
export const PoisonedAggregate = z.object({ aggregate: z.string(), position: z.number(), message: z.string() })
export type PoisonedAggregate = z.infer<typeof PoisonedAggregate>

/** A rebuild could not fold events that the live generation has folded. It must not go live. */
export class NewPoisonError extends Error {
  override name = 'NewPoisonError'
  constructor(readonly poison: readonly PoisonedAggregate[]) {
    const [first] = poison
    super(
      `${plural(poison.length, 'aggregate')} cannot be folded any more, such as ${first?.aggregate} at position ${first?.position}: ${first?.message}`,
    )
  }
}

interface NewPoisonContext {
  projection: Projection
  store: DocumentStore
  opened: GenerationStore
  discards: Discards
}

/** They are listed, not counted. */
const MAX_LISTED = 20

/**
 * Aggregates that are parked in a generation being built although the live one has folded the event. While the build
 * is under way, a later removal may still release one, so those that are removed in the live generation do not count.
 */
export async function findNewPoison(
  { projection, store, opened, discards }: NewPoisonContext,
  live: Generation,
  when: 'on the way' | 'at the end',
): Promise<NewPoisonError | null> {
  const sameVersion = live.version === projection.version
  // Documents of another version may have another shape, but dead letters are always the same.
  return withGeneration(store, live, sameVersion ? projection.collections : DEAD_LETTER_COLLECTIONS, async (liveStore) => {
    const { position: livePosition } = await liveStore.checkpoint()
    const found: PoisonedAggregate[] = []
    for (const { _id, position } of (await loadParked(opened)).values()) {
      if (position > livePosition || discards.has(position)) continue
      if (await isParked(liveStore, _id, position)) continue
      if (when === 'on the way' && (!sameVersion || (await isRemoved(liveStore, projection, _id)))) continue
      found.push({ aggregate: _id, position, message: (await deadLettersOf(opened, _id))[0]?.error?.message ?? '' })
      if (found.length === MAX_LISTED) break
    }
    return found.length === 0 ? null : new NewPoisonError(found)
  })
}

async function isParked(live: GenerationStore, aggregate: string, position: ParkedDoc['position']): Promise<boolean> {
  const [deadLetter] = await live.range(deadLetters, { index: 'byAggregate', equals: [aggregate], limit: 1 })
  return deadLetter !== undefined && deadLetter.position <= position
}

async function isRemoved(live: GenerationStore, { state }: Projection, aggregate: string): Promise<boolean> {
  const [kind = '', key = ''] = aggregate.split('/')
  const kept = state[kind as AggregateKind]
  if (kept === undefined) return false
  const [doc] = await live.get(kept.collection, [key])
  return doc?.removed === true
}
