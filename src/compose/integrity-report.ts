import { integrityProjection } from '../../projections/integrity/index.js'
import { readIntegrity } from '../../readmodels/integrity/queries.js'
import { listDiscards } from '../engine/dead-letters/discards.js'
import { liveGeneration, withGeneration } from '../engine/fold/open-generation.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { IntegrityReport } from '../ports/integrity-report.js'

const { name, version, collections } = integrityProjection

/** How many aggregates of each kind a report names. */
const MAX_NAMED = 10

/**
 * What is missing, came late or conflicts. `null` until the model is there in this version. Not from a snapshot: those are
 * for readers, who rather get an error than wait for a slow store.
 */
export async function readIntegrityReport(documents: DocumentStore): Promise<IntegrityReport | null> {
  const live = await liveGeneration(documents, name)
  // Generations of earlier releases have other collections.
  if (live?.version !== version) return null
  return withGeneration(documents, live, collections, (model) => readIntegrity(model, MAX_NAMED))
}

/** Of events whose sequence another one may take. */
export const discardedPositions = async (documents: DocumentStore): Promise<ReadonlySet<number>> =>
  new Set((await listDiscards(documents, name)).map(({ position }) => position))
