import { z } from 'zod'
import type { Position } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import type { DocumentStore, Generation, GenerationStore, Lease } from '../../ports/document-store.js'
import { Discards, hasFoldedDiscarded, listDiscards } from '../dead-letters/discards.js'
import { replayParked } from '../dead-letters/replay-parked.js'
import { DEAD_LETTER_COLLECTIONS, deadLetterRef, deadLetters } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { scanDocuments } from '../definition/scan-documents.js'
import { foldPages } from '../fold/fold-pages.js'
import { GenerationWriter } from '../fold/generation-writer.js'
import { foreignLog } from '../fold/log-identity.js'
import type { DecodedRecord } from '../fold/log-page.js'
import { withGeneration } from '../fold/open-generation.js'
import type { EngineContext, LiveGeneration } from './build-generation.js'

const LATE_DISCARD = 'an event was discarded after this rebuild had folded it: ask for a rebuild again, which leaves it out'
const PAGE = 1000

/**
 * Folds into a generation what the live one has folded since it was built. The live one stands still until then, so
 * readers never go back in time. Returns why a rebuilt generation must not go live, or `null`.
 */
export async function catchUpToLive(
  { store, projection, reader, log, withLongLease }: EngineContext,
  { epoch }: Lease,
  target: Generation,
  live: LiveGeneration,
  { isRebuild, acceptsLog }: { isRebuild: boolean; acceptsLog: boolean },
): Promise<Error | null> {
  const discarded = await listDiscards(store, projection.name)
  const discards = new Discards(discarded)
  return withGeneration(store, target, projection.collections, async (generation) => {
    const { era } = reader
    const isForeign = async (opened: GenerationStore) => foreignLog(reader, projection.name, await opened.checkpoint())
    // Another process has built it, perhaps from another log; and ours may have been replaced while it was built.
    const foreign = (await isForeign(generation)) ?? (acceptsLog ? null : await withGeneration(store, live.generation, [], isForeign))
    if (foreign !== null) return foreign
    const writer = await GenerationWriter.open(projection, generation, epoch, false)
    const wanted = ({ record }: DecodedRecord) => record.position <= live.position
    const read = (after: Position) => reader.readPage(after, PAGE, era)
    const pages = foldPages(writer, { read, wanted, decide: discards.markDiscarded })
    for await (const { position } of pages) if (position >= live.position) break
    // Events that were discarded after they were parked here.
    const parked = await generation.get(
      deadLetters,
      discarded.map((each) => deadLetterRef(each).id),
    )
    const aggregates = new Set(parked.flatMap((letter) => letter?.aggregate ?? []))
    if (aggregates.size > 0) await replayParked({ projection, store, log, generation, withLongLease }, epoch, [...aggregates])
    if (!isRebuild || acceptsLog) return null
    if (await hasFoldedDiscarded(generation, log, discarded)) return new Error(LATE_DISCARD)
    let poison: NewPoisonError | null = null
    await withLongLease(async () => {
      poison = await findNewPoison({ projection, store, opened: generation, discards }, live.generation)
    })
    return poison
  })
}

/** Keeps one retired generation, for a rollback. */
export async function dropRetiredExcept({ store, projection }: EngineContext, lease: Lease, kept: number | null): Promise<void> {
  for (const generation of await store.generations(projection.name))
    if (generation.state === 'retired' && generation.number !== kept) await store.dropGeneration(generation, lease)
}

/** The newest retired generation before the live one, or else the newest after it; a sentence if there is none to use. */
export function rollbackTarget(generations: readonly Generation[], live: Generation, version: number): Generation | string {
  const retired = generations.filter(({ state }) => state === 'retired')
  const target = retired.findLast(({ number }) => number < live.number) ?? retired.at(-1)
  if (target === undefined) return 'there is no earlier generation to go back to'
  if (target.version === version) return target
  return `generation ${target.number} is of version ${target.version}, which this code (version ${version}) cannot catch up: run the command from the release that made it`
}

/** Stored in requests. */
export const PoisonEvent = z.object({ aggregate: z.string(), position: z.number(), message: z.string() })
export type PoisonEvent = z.infer<typeof PoisonEvent>

/** A rebuild could not fold events that the live generation has folded. It must not go live. */
export class NewPoisonError extends Error {
  override name = 'NewPoisonError'
  constructor(readonly poison: readonly PoisonEvent[]) {
    const [first] = poison
    // Events stay in the log as they were written. A missing choice is told like a wrong one.
    const isLacking = /^data: .*(received undefined|expected (one of )?")/.test(first?.message ?? '')
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

/** Events that could not be folded into a generation that has been built, although the live one has folded them. */
export async function findNewPoison(
  { projection, store, opened, discards }: NewPoisonContext,
  live: Generation,
): Promise<NewPoisonError | null> {
  const sameVersion = live.version === projection.version
  // Documents of another version may have another shape, but dead letters are always the same.
  return withGeneration(store, live, sameVersion ? projection.collections : DEAD_LETTER_COLLECTIONS, async (liveStore) => {
    const { position: livePosition } = await liveStore.checkpoint()
    const found: PoisonEvent[] = []
    for await (const { _id, aggregate, position, error } of scanDocuments(opened, deadLetters)) {
      if (position > livePosition || discards.has(position)) continue
      if ((await liveStore.get(deadLetters, [_id]))[0] !== undefined) continue
      found.push({ aggregate, position, message: error.message })
      if (found.length === MAX_LISTED) break
    }
    return found.length === 0 ? null : new NewPoisonError(found)
  })
}
