import type { Collection, Doc, Reads } from '../../ports/document-store.js'
import { type StoredDocument, scanDocuments, scanStored } from '../definition/scan-documents.js'

export interface Discrepancy {
  collection: Collection
  id: string
  /** `missing`: not in the model; `surplus`: not in the replay; `unreadable`: the stored document cannot be read. */
  kind: 'missing' | 'surplus' | 'different' | 'unreadable'
  /** In the model (left) and in the replay (right). */
  fields: Difference[]
  /** Why it cannot be read. */
  reason: string | null
  stored: Doc | null
  replayed: Doc | null
}

/** Walks both sides of a collection in the order of ids, and compares those that `chosen` accepts. */
export async function* compareCollections(
  collection: Collection,
  stored: Pick<Reads, 'ids' | 'get'>,
  replayed: Pick<Reads, 'range'>,
  chosen: (id: string) => boolean,
): AsyncGenerator<Discrepancy | null, void, void> {
  const left = scanStored(stored, collection)
  const right = scanDocuments(replayed, collection)
  let [a, b] = [await left.next(), await right.next()]
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : compareIds(a.value.id, b.value._id)
    const ours = order <= 0 && !a.done ? a.value : undefined
    const theirs = order >= 0 && !b.done ? b.value : undefined
    const id = ours?.id ?? theirs?._id ?? ''
    if (chosen(id)) yield discrepancy(collection, id, ours, theirs)
    if (order <= 0) a = await left.next()
    if (order >= 0) b = await right.next()
  }
}

/** `null` when there is none. */
export function discrepancy(
  collection: Collection,
  id: string,
  kept: StoredDocument | undefined,
  replayed: Doc | undefined,
): Discrepancy | null {
  if (kept !== undefined && 'unreadable' in kept) {
    const fields = replayed === undefined ? [] : differences(undefined, replayed)
    return { collection, id, kind: 'unreadable', fields, reason: kept.unreadable, stored: null, replayed: replayed ?? null }
  }
  const stored = kept?.doc
  if (stored === undefined && replayed === undefined) return null
  const kind = stored === undefined ? 'missing' : replayed === undefined ? 'surplus' : 'different'
  const fields = kind === 'different' ? differences(stored, replayed) : []
  if (kind === 'different' && fields.length === 0) return null
  return { collection, id, kind, fields, reason: null, stored: stored ?? null, replayed: replayed ?? null }
}

/** Stores order ids by their UTF-8 bytes. */
const compareIds = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** One differing field; `undefined` on a side that does not have it. */
export interface Difference {
  /** `stats.likes`, `tags[2]`; empty for the whole. */
  path: string
  left: unknown
  right: unknown
}

/** Field by field, down to the leaves. Empty when two JSON values are equal, in any order of keys. */
export function differences(left: unknown, right: unknown, path = ''): Difference[] {
  if (Object.is(left, right)) return []
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length)
    return Array.from({ length }, (_, i) => differences(left[i], right[i], `${path}[${i}]`)).flat()
  }
  if (isRecord(left) && isRecord(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)])
    return [...keys].flatMap((key) => differences(own(left, key), own(right, key), path === '' ? key : `${path}.${key}`))
  }
  return [{ path, left, right }]
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Own properties only: a document may have a field named `constructor`. */
const own = (record: Record<string, unknown>, key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined)
