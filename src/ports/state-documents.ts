/** The documents that state is kept in: of aggregates, and of pairs. */
import { z } from 'zod'

/** What is left of a removed aggregate: its opaque id and the highest sequence seen. */
export const Tombstone = z.object({ _id: z.string(), seq: z.number(), removed: z.literal(true) })
export type Tombstone = z.infer<typeof Tombstone>

export const tombstone = (id: string, seq: number): Tombstone => ({ _id: id, seq, removed: true })

/** The fields of every state document that is not a tombstone. */
export const living = { _id: z.string(), seq: z.number(), removed: z.literal(false) }

/** One document per pair. The id begins with `from`, so the edges of one `from` are neighbours. */
export const edgeId = (from: string, to: string): string => `${from}~${to}`

export const fromOf = (edge: string): string => edge.slice(0, edge.indexOf('~'))

/** A query for all edges of one `from`. */
export const edgesOf = (from: string) => ({ index: '_id', equals: [], startsWith: `${from}~` })
