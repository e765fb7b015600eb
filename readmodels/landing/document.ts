import { z } from 'zod'
import { collection, LocalizedText } from '../collection.js'
import { ItemDoc, type SORTS } from '../feed/documents.js'

export const RAILS = ['trending', 'recent', 'remixed', 'liked', 'featured'] as const
export type RailKey = (typeof RAILS)[number]

export const LANDING_ID = 'landing'
export const RAIL_LENGTH = 12
export const SPOTLIGHT_LENGTH = 6

/** The whole landing in one document, part of the feed's commit. */
export const LandingDoc = z.object({
  _id: z.literal(LANDING_ID),
  spotlight: z.array(ItemDoc),
  rails: z.array(z.object({ key: z.enum(RAILS), items: z.array(ItemDoc) })),
  categories: z.array(z.object({ slug: z.string(), label: LocalizedText, count: z.number(), coverUrl: z.string().nullable() })),
})
export type LandingDoc = z.infer<typeof LandingDoc>

export const landing = collection<LandingDoc>({ name: 'landing', schema: LandingDoc, indexes: [] })

/** A small companion that tells which changes can reach the landing, without reading the landing itself. */
export const LandingReachDoc = z.object({
  _id: z.literal(LANDING_ID),
  shown: z.array(z.string()),
  /** The sort value of each rail's last creation; null while the rail has room for anything. */
  least: z.record(z.enum(RAILS), z.number().nullable()),
})
export type LandingReachDoc = z.infer<typeof LandingReachDoc>

export const landingReach = collection<LandingReachDoc>({ name: 'landingReach', schema: LandingReachDoc, indexes: [] })

/** Which order each rail follows. */
export const RAIL_SORT: Record<RailKey, (typeof SORTS)[number]> = {
  trending: 'trending',
  recent: 'recent',
  remixed: 'remixed',
  liked: 'liked',
  featured: 'recent',
}
