import { z } from 'zod'
import type { Collection, Doc } from '../src/ports/document-store.js'

export const collection = <D extends Doc>(spec: Collection<D>): Collection<D> => spec

/** What is left of a removed aggregate: its opaque id, and how far its events have been read. */
export const Tombstone = z.object({ _id: z.string(), seq: z.number(), removed: z.literal(true) })
export type Tombstone = z.infer<typeof Tombstone>

export const tombstone = (id: string, seq: number): Tombstone => ({ _id: id, seq, removed: true })

/** The fields that every living state document has. */
export const living = { _id: z.string(), seq: z.number(), removed: z.literal(false) }

export const LocalizedText = z.record(z.string(), z.string())

/** One document per pair; the first end comes first in the id, so that its edges lie side by side. */
export const edgeId = (from: string, to: string): string => `${from}~${to}`

/** Finds all edges of a first end. */
export const edgesOf = (from: string) => ({ index: '_id', equals: [], startsWith: `${from}~` })
