import { z } from 'zod'
import type { Collection, Doc } from '../src/ports/document-store.js'

export const collection = <D extends Doc>(spec: Collection<D>): Collection<D> => spec

/** Those of the fields that a document has. */
export type FieldGroup<D, F extends string> = D extends Doc ? Doc & Pick<D, Extract<keyof D, F>> : never

/** The same documents for readers who use only some of the fields, which the collection has to declare among its parts. */
export function fieldGroup<D extends Doc, F extends string>(
  whole: Collection<D>,
  name: string,
  fields: readonly F[],
): Collection<FieldGroup<D, F>> {
  if (whole.fieldGroups?.[name] !== fields) throw new Error(`${whole.name} declares no part "${name}" with these fields`)
  // Whole documents come out all the same; the type keeps readers from looking further.
  return { ...whole, part: name } as unknown as Collection<FieldGroup<D, F>>
}

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
