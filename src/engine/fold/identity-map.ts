import { indexEntries, sameIndexEntries } from '../../ports/collection.js'
import type { Collection, Doc, IndexQuery, IndexSpec, Write } from '../../ports/document-store.js'

/** How many committed documents of a collection to remember. */
const MAX_KEPT_DOCUMENTS = 8_000

/** `null` is a document known not to exist. */
export type DocOrMissing = Doc | null

/** Ids by the values of a fold index. */
type IdsByIndexValue = Map<string, string[]>

/** One document on its way from draft to store. Holding it spares further lookups. */
export class TrackedDocument {
  /** Now, drafts included. */
  doc: DocOrMissing
  /** After the events before the one being folded. */
  accepted: DocOrMissing
  /** In the store. */
  stored: DocOrMissing
  isDraft = false
  isChanged = false

  constructor(
    readonly map: IdentityMap,
    readonly id: string,
    stored: DocOrMissing,
  ) {
    this.doc = stored
    this.accepted = stored
    this.stored = stored
  }
}

/** One collection's documents in a unit of work, each held once. */
export class IdentityMap {
  readonly requested = new Set<string>()
  changed: TrackedDocument[] = []
  /** Being committed: the store may still have the old ones. */
  #committing: TrackedDocument[] = []
  readonly #documents = new Map<string, TrackedDocument>()
  /** A fold looks up the same document several times in a row. */
  #lastFound: TrackedDocument | undefined
  /** Per fold index, by value: documents that may match since this batch, which the store does not know yet. */
  readonly #newMatches: readonly { index: IndexSpec; ids: IdsByIndexValue; committing: IdsByIndexValue }[]

  constructor(readonly collection: Collection) {
    this.#newMatches = collection.indexes
      .filter(({ use }) => use === 'fold')
      .map((index) => ({ index, ids: new Map(), committing: new Map() }))
  }

  find(id: string): TrackedDocument | undefined {
    if (this.#lastFound?.id === id) return this.#lastFound
    const tracked = this.#documents.get(id)
    if (tracked !== undefined) this.#lastFound = tracked
    return tracked
  }

  request(id: string): void {
    if (this.find(id) === undefined) this.requested.add(id)
  }

  add(id: string, stored: DocOrMissing): void {
    this.#documents.set(id, new TrackedDocument(this, id, stored))
  }

  accept(tracked: TrackedDocument): void {
    if (tracked.doc !== null) this.#recordNewMatches(tracked.id, tracked.doc, tracked.accepted)
    tracked.accepted = tracked.doc
    tracked.isDraft = false
    if (tracked.isChanged) return
    tracked.isChanged = true
    this.changed.push(tracked)
  }

  newMatchesOf(query: IndexQuery): Iterable<string> {
    if (query.index === '_id')
      return [...this.#committing, ...this.changed].map(({ id }) => id).filter((id) => id.startsWith(query.startsWith ?? ''))
    const moved = this.#newMatches.find(({ index }) => index.name === query.index)
    const key = query.equals.join('\0')
    return [...(moved?.committing.get(key) ?? []), ...(moved?.ids.get(key) ?? [])]
  }

  writes(): Write[] {
    const writes: Write[] = []
    for (const { id, stored, accepted } of this.changed)
      if (accepted !== null || stored !== null)
        writes.push({ collection: this.collection, id, before: stored ?? undefined, after: accepted ?? undefined })
    return writes
  }

  commitStarted(): void {
    for (const tracked of this.changed) {
      tracked.stored = tracked.accepted
      tracked.isChanged = false
    }
    this.#committing = this.changed
    this.changed = []
    for (const moved of this.#newMatches) {
      moved.committing = moved.ids
      moved.ids = new Map()
    }
  }

  commitFinished(): void {
    if (this.collection.uncached) this.#evict(this.#documents.size)
    else {
      for (const tracked of this.#committing) {
        // Deleting first moves the document to the new end of the map.
        this.#documents.delete(tracked.id)
        this.#documents.set(tracked.id, tracked)
      }
      this.#evict(this.#documents.size - MAX_KEPT_DOCUMENTS)
    }
    this.#committing = []
    for (const { committing } of this.#newMatches) committing.clear()
    // It may just have been evicted.
    this.#lastFound = undefined
  }

  discardChanges(): void {
    for (const tracked of this.changed) {
      tracked.doc = tracked.accepted = tracked.stored
      tracked.isChanged = false
    }
    this.changed = []
    for (const { ids } of this.#newMatches) ids.clear()
  }

  /** Evicts the oldest, except those that have changed since. */
  #evict(excess: number): void {
    for (const tracked of this.#documents.values()) {
      if (excess-- <= 0) break
      if (!tracked.isChanged) this.#documents.delete(tracked.id)
    }
  }

  #recordNewMatches(id: string, doc: Doc, previous: DocOrMissing): void {
    for (const { index, ids } of this.#newMatches) {
      if (previous !== null && sameIndexEntries(index, previous, doc)) continue
      for (const key of keysOf(index, doc)) {
        const moved = ids.get(key)
        if (moved === undefined) ids.set(key, [id])
        else moved.push(id)
      }
    }
  }
}

/** Sweeps query fold indexes by all of their fields, so a key is one string. */
const keysOf = (index: IndexSpec, doc: Doc): string[] => indexEntries(index, doc).map((entry) => entry.join('\0'))

export function matchesQuery(collection: Collection, query: IndexQuery, doc: Doc): boolean {
  if (query.index === '_id') return doc._id.startsWith(query.startsWith ?? '')
  const index = collection.indexes.find((candidate) => candidate.name === query.index)
  return index !== undefined && keysOf(index, doc).includes(query.equals.join('\0'))
}
