import { z } from 'zod'
import { collection, living, publication, Tombstone } from '../collection.js'

/** A creation that people can score in. */
const Scored = z.object({ ...living, ...publication })
export type Scored = z.infer<typeof Scored>

export const ScoredDoc = z.discriminatedUnion('removed', [Scored, Tombstone])
export type ScoredDoc = z.infer<typeof ScoredDoc>

export const scoredCreations = collection<ScoredDoc>({
  name: 'scoredCreations',
  schema: ScoredDoc,
  indexes: [
    { name: 'byCreator', fields: ['creatorId'], use: 'fold' },
    { name: 'byOtherCreator', fields: ['alsoBy'], each: 'alsoBy', use: 'fold' },
  ],
})

/** Players, only to know who was erased. */
const Player = z.object({ ...living })
export const PlayerDoc = z.discriminatedUnion('removed', [Player, Tombstone])
export type PlayerDoc = z.infer<typeof PlayerDoc>

export const players = collection<PlayerDoc>({ name: 'players', schema: PlayerDoc, indexes: [] })

/** The best score of one person in one creation. */
export const ScoreDoc = z.object({
  _id: z.string(),
  creationId: z.string(),
  userId: z.string(),
  score: z.number(),
  /** The score negated: ascending order then puts high scores first and, among equals, the earlier one. */
  rank: z.number(),
  achievedAt: z.number(),
})
export type ScoreDoc = z.infer<typeof ScoreDoc>

export const scores = collection<ScoreDoc>({
  name: 'scores',
  schema: ScoreDoc,
  indexes: [
    { name: 'byUser', fields: ['userId'], use: 'fold' },
    { name: 'leaderboard', fields: ['creationId', 'rank', 'achievedAt'], use: 'query' },
    { name: 'best', fields: ['userId', 'rank', 'achievedAt'], use: 'query' },
  ],
  edges: true,
  uncached: true,
})
