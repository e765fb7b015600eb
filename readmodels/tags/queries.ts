import type { Reads } from '../../src/ports/document-store.js'
import { TAG_TOTAL, type TagDoc, tags, tagTotal } from './documents.js'

export async function popularTags(reads: Reads, limit: number): Promise<{ tags: TagDoc[]; total: number }> {
  const [total] = await reads.get(tagTotal, [TAG_TOTAL])
  return { tags: await reads.range(tags, { index: 'popular', equals: [], limit }), total: total?.count ?? 0 }
}
