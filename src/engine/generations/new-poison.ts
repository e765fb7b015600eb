import { z } from 'zod'
import { plural } from '../../lib/message-text.js'
import type { DocumentStore, Generation, GenerationStore } from '../../ports/document-store.js'
import type { Discards } from '../dead-letters/discards.js'
import { DEAD_LETTER_COLLECTIONS, deadLetters } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { scanDocuments } from '../definition/scan-documents.js'
import { withGeneration } from '../fold/open-generation.js'

/** Stored in requests. */
export const PoisonEvent = z.object({ aggregate: z.string(), position: z.number(), message: z.string() })
export type PoisonEvent = z.infer<typeof PoisonEvent>

/** A rebuild could not fold events that the live generation has folded. It must not go live. */
export class NewPoisonError extends Error {
  override name = 'NewPoisonError'
  constructor(readonly poison: readonly PoisonEvent[]) {
    const [first] = poison
    // Events stay in the log as they were written.
    const isLacking = /^data: .*is missing/.test(first?.message ?? '')
    super(
      `${plural(poison.length, 'event')} cannot be folded any more, such as that of ${first?.aggregate} at position ${first?.position}: ${first?.message}${isLacking ? ' (if it is new in the schema, give it a .default())' : ''}`,
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
 * Events that could not be folded into a generation being built, although the live one has folded them. While the build is
 * under way, a removal may still release one, so those of aggregates that are removed in the live generation do not count.
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
    const found: PoisonEvent[] = []
    for await (const { _id, aggregate, position, error } of scanDocuments(opened, deadLetters)) {
      if (position > livePosition || discards.has(position)) continue
      if ((await liveStore.get(deadLetters, [_id]))[0] !== undefined) continue
      if (when === 'on the way' && (!sameVersion || (await isRemoved(liveStore, projection, aggregate)))) continue
      found.push({ aggregate, position, message: error.message })
      if (found.length === MAX_LISTED) break
    }
    return found.length === 0 ? null : new NewPoisonError(found)
  })
}

async function isRemoved(live: GenerationStore, { state }: Projection, aggregate: string): Promise<boolean> {
  const [kind = '', key = ''] = aggregate.split('/')
  const kept = state[kind]
  if (kept === undefined) return false
  const [doc] = await live.get(kept.collection, [key])
  return doc?.removed === true
}
