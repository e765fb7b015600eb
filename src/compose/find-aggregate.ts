import { feedProjection } from '../../projections/feed/index.js'
import { creatorByHandle, itemByAddress } from '../../readmodels/feed/queries.js'
import { liveGeneration, withGeneration } from '../engine/fold/open-generation.js'
import type { DocumentStore } from '../ports/document-store.js'

const { name, version, collections } = feedProjection

/** What readers call a creator (`haeunoh`) or a creation (`haeunoh/tide-dial`). */
export interface PublicAddress {
  handle: string
  slug?: string
}

/** The aggregate that has a public address now, `null` if none has it, undefined until the feed is there in this version. */
export async function findAggregate(
  documents: DocumentStore,
  { handle, slug }: PublicAddress,
): Promise<{ kind: 'creator' | 'creation'; id: string } | null | undefined> {
  const live = await liveGeneration(documents, name)
  if (live?.version !== version) return undefined
  return withGeneration(documents, live, collections, async (feed) => {
    const found = slug === undefined ? await creatorByHandle(feed, handle) : await itemByAddress(feed, handle, slug)
    return found === null ? null : { kind: slug === undefined ? 'creator' : 'creation', id: found._id }
  })
}
