/** The documents of views that count and show. */
import type { Collection, Doc } from '../../ports/document-store.js'
import type { Docs } from '../definition/projection.js'
import { DryRun } from './dry-run.js'
import type { CountView, ShowView } from './views.js'

/** From the keys that a document had to those it has. */
export function count(docs: Docs, view: CountView, before: unknown, after: unknown): void {
  if (before === after) return
  const left = new Set(keysIn(before))
  for (const key of new Set(keysIn(after))) if (!left.delete(key)) addToCount(docs, view, key, 1)
  for (const key of left) addToCount(docs, view, key, -1)
}

/** `countBy` has typed what its function returns. */
const keysIn = (keys: unknown): readonly string[] => (keys as readonly string[] | null) ?? []

function addToCount(docs: Docs, { into, doc, distinct }: CountView, key: string, change: number): void {
  const before = countIn(docs, into, key)
  // To learn which documents are needed, the counts do not matter.
  if (docs instanceof DryRun) {
    if (distinct !== null) docs.get(distinct, TOTAL)
    return
  }
  const now = before + change
  if (now === 0) docs.delete(into, key)
  else docs.put(into, { _id: key, ...doc(key, now) })
  const appeared = (now > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
  if (distinct === null || appeared === 0) return
  const keys = countIn(docs, distinct, TOTAL) + appeared
  if (keys === 0) docs.delete(distinct, TOTAL)
  else docs.put(distinct, counted(TOTAL, keys))
}

const TOTAL = 'total'

const counted = (id: string, count: number): Doc & { count: number } => ({ _id: id, count })

/** Documents of such a view have their count. */
const countIn = (docs: Docs, collection: Collection, id: string): number =>
  (docs.get(collection, id) as ReturnType<typeof counted> | undefined)?.count ?? 0

export function showInto(docs: Docs, { into }: ShowView, id: string, compute: () => unknown): void {
  // To learn which documents are needed, the words do not matter.
  const shown = docs instanceof DryRun ? null : compute()
  // `show` has typed what its function returns.
  if (shown !== null) docs.put(into, { _id: id, ...(shown as object) })
  else if (docs.get(into, id) !== undefined) docs.delete(into, id)
}
