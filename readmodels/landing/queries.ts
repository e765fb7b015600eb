import type { Reads } from '../../src/ports/document-store.js'
import { LANDING_ID, type LandingDoc, landing } from './document.js'

const EMPTY: LandingDoc = { _id: LANDING_ID, spotlight: [], rails: [], categories: [] }

export async function readLanding(reads: Reads): Promise<LandingDoc> {
  const [doc] = await reads.get(landing, [LANDING_ID])
  return doc ?? EMPTY
}
