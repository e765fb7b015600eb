import type { Collection, Doc, Reads } from '../../ports/document-store.js'
import { type Difference, differences } from './differences.js'
import { documentsOf } from './documents.js'

export interface Discrepancy {
  collection: Collection
  id: string
  /** `missing`: the model lacks it; `surplus`: no event accounts for it. */
  kind: 'missing' | 'surplus' | 'different'
  /** As the model has it (left) and as the log says (right). */
  fields: Difference[]
  stored: Doc | null
  replayed: Doc | null
}

/** Walks both sides of a collection in the order of ids. `chosen` leaves out what is not to be compared. */
export async function* compare(
  collection: Collection,
  stored: Pick<Reads, 'range'>,
  replayed: Pick<Reads, 'range'>,
  chosen: (id: string) => boolean,
): AsyncGenerator<Discrepancy | null, void, void> {
  const left = documentsOf(stored, collection)
  const right = documentsOf(replayed, collection)
  let [a, b] = [await left.next(), await right.next()]
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : inOrder(a.value._id, b.value._id)
    const ours = order <= 0 && !a.done ? a.value : undefined
    const theirs = order >= 0 && !b.done ? b.value : undefined
    const id = (ours ?? theirs)?._id ?? ''
    if (chosen(id)) yield discrepancy(collection, id, ours, theirs)
    if (order <= 0) a = await left.next()
    if (order >= 0) b = await right.next()
  }
}

/** `null` when there is none. */
export function discrepancy(collection: Collection, id: string, stored: Doc | undefined, replayed: Doc | undefined): Discrepancy | null {
  if (stored === undefined && replayed === undefined) return null
  const kind = stored === undefined ? 'missing' : replayed === undefined ? 'surplus' : 'different'
  const fields = kind === 'different' ? differences(stored, replayed) : []
  if (kind === 'different' && fields.length === 0) return null
  return { collection, id, kind, fields, stored: stored ?? null, replayed: replayed ?? null }
}

/** As stores order ids: by their UTF-8 bytes, which is by code point. */
function inOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
