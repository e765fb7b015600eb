/** What commands and monitors read of live models. Not from a snapshot: those are for readers, who rather get an error than wait for a slow store. */
import { feedProjection } from '../../projections/feed/index.js'
import { integrityProjection } from '../../projections/integrity/index.js'
import { creatorByHandle, itemByAddress } from '../../readmodels/feed/queries.js'
import { readIntegrity } from '../../readmodels/integrity/queries.js'
import { listDiscards } from '../engine/dead-letters/discards.js'
import type { Projection } from '../engine/definition/projection.js'
import { liveGeneration, withGeneration } from '../engine/fold/open-generation.js'
import type { DocumentStore, Reads } from '../ports/document-store.js'
import type { IntegrityReport } from '../ports/integrity-report.js'

/** Undefined until the model is there in this version: generations of earlier releases have other collections. */
async function ofLive<T>(
  documents: DocumentStore,
  { name, version, collections }: Projection,
  read: (model: Reads) => Promise<T>,
): Promise<T | undefined> {
  const live = await liveGeneration(documents, name)
  return live?.version === version ? withGeneration(documents, live, collections, read) : undefined
}

/** How many aggregates of each kind a report names. */
const MAX_NAMED = 10

/** What is missing, came late or conflicts; `null` while the model is not there. */
export const readIntegrityReport = async (documents: DocumentStore): Promise<IntegrityReport | null> =>
  (await ofLive(documents, integrityProjection, (model) => readIntegrity(model, MAX_NAMED))) ?? null

/** Of events whose sequence another one may take. */
export const discardedPositions = async (documents: DocumentStore): Promise<ReadonlySet<number>> =>
  new Set((await listDiscards(documents, integrityProjection.name)).map(({ position }) => position))

/** The aggregate that has a public address now, `haeunoh` or `haeunoh/tide-dial`; `null` if none has it, undefined while the feed is not there. */
export const findAggregate = (
  documents: DocumentStore,
  handle: string,
  slug?: string,
): Promise<{ kind: 'creator' | 'creation'; id: string } | null | undefined> =>
  ofLive(documents, feedProjection, async (feed) => {
    const found = slug === undefined ? await creatorByHandle(feed, handle) : await itemByAddress(feed, handle, slug)
    return found === null ? null : { kind: slug === undefined ? 'creator' : 'creation', id: found._id }
  })
