import { z } from 'zod'
import { collection, LocalizedText } from '../collection.js'
import type { SORTS } from '../feed/documents.js'

export const RAILS = ['trending', 'recent', 'remixed', 'liked', 'featured'] as const
export type RailKey = (typeof RAILS)[number]

export const LANDING_ID = 'landing'
export const RAIL_LENGTH = 12
export const SPOTLIGHT_LENGTH = 6

/** A creation in a list: its id and the value it is sorted by. */
const RankedEntry = z.object({ id: z.string(), value: z.number() })
export type RankedEntry = z.infer<typeof RankedEntry>

/**
 * Which creations the landing shows: one document, written in the feed's commit. It holds ids only: with the cards in it,
 * nearly every like would rewrite ninety kilobytes.
 */
export const LandingDoc = z.object({
  _id: z.literal(LANDING_ID),
  spotlight: z.array(RankedEntry),
  rails: z.array(z.object({ key: z.enum(RAILS), places: z.array(RankedEntry) })),
  categories: z.array(z.object({ slug: z.string(), label: LocalizedText, count: z.number(), coverUrl: z.string().nullable() })),
})
export type LandingDoc = z.infer<typeof LandingDoc>

export const landing = collection<LandingDoc>({ name: 'landing', schema: LandingDoc, indexes: [] })

/** The sort of each rail. */
export const RAIL_SORT: Record<RailKey, (typeof SORTS)[number]> = {
  trending: 'trending',
  recent: 'recent',
  remixed: 'remixed',
  liked: 'liked',
  featured: 'recent',
}
