import { z } from 'zod'
import { FieldVersions } from '../src/lib/field-versions.js'
import type { Collection, Doc } from '../src/ports/document-store.js'

export const collection = <D extends Doc>(spec: Collection<D>): Collection<D> => spec

/** The fields of F that D has; works on unions. */
export type FieldGroup<D, F extends string> = D extends Doc ? Doc & Pick<D, Extract<keyof D, F>> : never

/** The same documents for readers that use a declared group of their fields only: other fields may change without dropping the answer from the cache. */
export function fieldGroup<D extends Doc, F extends string>(
  whole: Collection<D>,
  name: string,
  fields: readonly F[],
): Collection<FieldGroup<D, F>> {
  if (whole.fieldGroups?.[name] !== fields) throw new Error(`${whole.name} declares no field group "${name}" with these fields`)
  const group: Collection<D> = { ...whole, fieldGroup: name }
  // At run time the documents are whole; the type hides the other fields.
  return group as unknown as Collection<FieldGroup<D, F>>
}

/** What is left of a removed aggregate: its opaque id and the last sequence applied. */
export const Tombstone = z.object({ _id: z.string(), seq: z.number(), removed: z.literal(true) })
export type Tombstone = z.infer<typeof Tombstone>

export const tombstone = (id: string, seq: number): Tombstone => ({ _id: id, seq, removed: true })

/** The fields of every state document that is not a tombstone. */
export const living = { _id: z.string(), seq: z.number(), removed: z.literal(false) }

/** The fields of a creation's state that its publications decide, in any order. */
export const publication = {
  setAt: FieldVersions,
  /** Of the publication with the lowest sequence. */
  creatorId: z.string().nullable(),
  /** Creators that other publications name. If one of them is erased the creation goes, as if they had made it. */
  alsoBy: z.array(z.string()),
}

export const LocalizedText = z.record(z.string(), z.string())

/** One document per pair. The id begins with `from`, so the edges of one `from` are neighbours. */
export const edgeId = (from: string, to: string): string => `${from}~${to}`

/** A query for all edges of one `from`. */
export const edgesOf = (from: string) => ({ index: '_id', equals: [], startsWith: `${from}~` })
