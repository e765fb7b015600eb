import { z } from 'zod'
import type { Collection, Doc } from '../src/ports/document-store.js'

export { edgeId, living, Tombstone } from '../src/ports/state-documents.js'

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

export const LocalizedText = z.record(z.string(), z.string())
