import type { Reads } from '../../src/ports/document-store.js'
import { type ScoreDoc, scores } from './documents.js'

/** Higher first, then earlier, then id. */
export function leaderboard(reads: Reads, creationId: string, limit: number): Promise<ScoreDoc[]> {
  return reads.range(scores, { index: 'leaderboard', equals: [creationId], limit })
}

const PAGE_SIZE = 50

/** A player's best scores in the same order, page by page: the caller skips creations that are not public and stops when it has enough. */
export async function* bestScores(reads: Reads, userId: string): AsyncIterable<ScoreDoc[]> {
  for (let after: ScoreDoc | undefined; ; ) {
    const continuing = after === undefined ? {} : { after: [after.rank, after.achievedAt, after._id] }
    const stretch: ScoreDoc[] = await reads.range(scores, { index: 'best', equals: [userId], limit: PAGE_SIZE, ...continuing })
    if (stretch.length > 0) yield stretch
    if (stretch.length < PAGE_SIZE) return
    after = stretch.at(-1)
  }
}
