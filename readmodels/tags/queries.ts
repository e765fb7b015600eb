import type { Reads } from '../../src/ports/document-store.js'
import { TAG_TOTAL, type TagDoc, tags, tagTotal } from './documents.js'

export async function popularTags(reads: Reads, limit: number): Promise<{ tags: TagDoc[]; total: number }> {
  const [total] = await reads.get(tagTotal, [TAG_TOTAL])
  return { tags: await reads.range(tags, { index: 'popular', equals: [], limit }), total: total?.count ?? 0 }
}

/** How many tags with the prefix are compared by use. */
const CANDIDATES = 200

export async function tagsStartingWith(reads: Reads, prefix: string, limit: number): Promise<TagDoc[]> {
  const found = await reads.range(tags, { index: '_id', equals: [], startsWith: prefix, limit: CANDIDATES })
  return found.sort((a, b) => a.rank - b.rank).slice(0, limit)
}
