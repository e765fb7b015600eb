import { z } from 'zod'
import { achieved, type DocumentOf, edge, max, own, person } from '../../src/engine/declared/index.js'

/** The best score of one person in one creation; of equal ones the earliest. */
export const score = edge(
  'creation',
  'scores',
  { creationId: own, userId: person },
  // Every edge begins with a score.
  { score: max(Number.NEGATIVE_INFINITY), achievedAt: achieved('score') },
  {
    // Not by `.index()`: processes of two releases share the names of indexes.
    indexes: [
      { name: 'leaderboard', fields: ['creationId', 'rank', 'achievedAt'], order: 'asc', use: 'query' },
      { name: 'best', fields: ['userId', 'rank', 'achievedAt'], order: 'asc', use: 'query' },
    ],
  },
)
  // Negated: ascending order then puts high scores first and, among equals, the earlier one. 0 - 0 has the text of 0, -0 may not.
  .derive('rank', z.number(), ['score'], ({ score }) => 0 - score)

export const scores = score.documents
export type ScoreDoc = DocumentOf<typeof score>
