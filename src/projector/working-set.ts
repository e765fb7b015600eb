import type { Collection, Doc, IndexQuery, IndexSpec, Reads, Write } from '../ports/document-store.js'
import type { Docs, Ref } from './definition.js'

/** How many committed documents of a collection to remember. */
const REMEMBERED = 8_000

/**
 * The documents a batch works on: what the store holds (loaded once, remembered from batch to batch, since nobody
 * else writes), what the batch has changed so far, and the drafts of the event being folded.
 */
export class WorkingSet implements Docs {
  readonly #reads: Reads
  readonly #shelves = new Map<Collection, Shelf>()
  /** Shelves with drafts of the event being folded. */
  readonly #drafting = new Set<Shelf>()

  constructor(reads: Reads) {
    this.#reads = reads
  }

  get<D extends Doc>(collection: Collection<D>, id: string): D | undefined {
    const doc = this.#shelf(collection).current(id)
    if (doc === undefined) throw untouched(collection, id)
    // A shelf only holds documents of its own collection.
    return (doc ?? undefined) as D | undefined
  }

  put<D extends Doc>(collection: Collection<D>, doc: D): void {
    this.#draft(collection, doc._id, doc)
  }

  delete<D extends Doc>(collection: Collection<D>, id: string): void {
    this.#draft(collection, id, null)
  }

  /** Like reading, but a document that is not loaded counts as missing: for finding out what has to be loaded. */
  readonly guess: Docs = {
    get: (collection, id) => (this.#shelf(collection).current(id) ?? undefined) as never,
    put: () => {},
    delete: () => {},
  }

  isLoaded({ collection, id }: Ref): boolean {
    return this.#shelf(collection).current(id) !== undefined
  }

  async load(refs: readonly Ref[]): Promise<void> {
    const missing = new Map<Collection, Set<string>>()
    for (const ref of refs) {
      if (this.isLoaded(ref)) continue
      const ids = missing.get(ref.collection) ?? new Set()
      missing.set(ref.collection, ids.add(ref.id))
    }
    for (const [collection, set] of missing) {
      const ids = [...set]
      const docs = await this.#reads.get(collection, ids)
      const shelf = this.#shelf(collection)
      ids.forEach((id, i) => {
        shelf.stored.set(id, docs[i] ?? null)
      })
    }
  }

  /** Ids of the documents that match right now and come after `afterId`, in order: the store's and the batch's own. */
  async matching(collection: Collection, query: IndexQuery, afterId: string | null, limit: number): Promise<string[]> {
    const found = await this.#reads.ids(collection, { ...query, limit, ...(afterId === null ? {} : { after: [afterId] }) })
    const last = found.length < limit ? null : (found.at(-1) ?? null)
    const ids = new Set(found)
    const shelf = this.#shelf(collection)
    for (const id of shelf.mayMatch(query)) if ((afterId === null || id > afterId) && (last === null || id <= last)) ids.add(id)
    return [...ids].sort()
  }

  /** Whether a loaded document still matches, after what the batch has done to it. */
  matches(collection: Collection, query: IndexQuery, id: string): boolean {
    const doc = this.#shelf(collection).current(id)
    return doc !== undefined && doc !== null && matchesQuery(collection, query, doc)
  }

  acceptDrafts(): void {
    for (const shelf of this.#drafting) shelf.acceptDrafts()
    this.#drafting.clear()
  }

  discardDrafts(): void {
    for (const shelf of this.#drafting) shelf.drafts.clear()
    this.#drafting.clear()
  }

  /** What the drafts would write, for checking one event on its own. */
  drafted(): { collection: Collection; doc: Doc }[] {
    return [...this.#shelves.values()].flatMap((shelf) =>
      [...shelf.drafts.values()].filter((doc) => doc !== null).map((doc) => ({ collection: shelf.collection, doc })),
    )
  }

  /** Everything the batch has changed, each document once. */
  writes(): Write[] {
    return [...this.#shelves.values()].flatMap((shelf) => shelf.writes())
  }

  get changeCount(): number {
    let count = 0
    for (const shelf of this.#shelves.values()) count += shelf.changed.size
    return count
  }

  committed(): void {
    for (const shelf of this.#shelves.values()) shelf.committed()
  }

  /** Back to what the store holds. */
  discardChanges(): void {
    this.#drafting.clear()
    for (const shelf of this.#shelves.values()) {
      shelf.drafts.clear()
      shelf.changed.clear()
      shelf.moved.clear()
    }
  }

  #draft(collection: Collection, id: string, doc: Known): void {
    const shelf = this.#shelf(collection)
    // What it replaces must be known, or its old index entries would stay behind.
    if (shelf.current(id) === undefined) throw untouched(collection, id)
    shelf.drafts.set(id, doc)
    this.#drafting.add(shelf)
  }

  #shelf(collection: Collection): Shelf {
    let shelf = this.#shelves.get(collection)
    if (shelf === undefined) {
      shelf = new Shelf(collection)
      this.#shelves.set(collection, shelf)
    }
    return shelf
  }
}

const untouched = (collection: Collection, id: string): Error => new Error(`${collection.name}/${id} was used without being touched`)

/** `null` is a document known not to exist, `undefined` one that nobody has looked for. */
type Known = Doc | null

/** One collection's part of the working set. */
class Shelf {
  readonly stored = new Map<string, Known>()
  readonly changed = new Map<string, Known>()
  readonly drafts = new Map<string, Known>()
  /** Per fold index and value: documents that may have come to match during the batch, so that the store cannot know. */
  readonly moved = new Map<string, Set<string>>()
  readonly #foldIndexes: readonly IndexSpec[]

  constructor(readonly collection: Collection) {
    this.#foldIndexes = collection.indexes.filter((index) => index.use === 'fold')
  }

  current(id: string): Known | undefined {
    if (this.drafts.size > 0) {
      const draft = this.drafts.get(id)
      if (draft !== undefined) return draft
    }
    const changed = this.changed.get(id)
    return changed !== undefined ? changed : this.stored.get(id)
  }

  acceptDrafts(): void {
    if (this.drafts.size === 0) return
    for (const [id, doc] of this.drafts) {
      if (doc !== null) this.#noteMoves(id, doc)
      this.changed.set(id, doc)
    }
    this.drafts.clear()
  }

  mayMatch(query: IndexQuery): Iterable<string> {
    const drafted = [...this.drafts.keys()]
    if (query.index === '_id') return [...this.changed.keys(), ...drafted].filter((id) => id.startsWith(query.startsWith ?? ''))
    return [...(this.moved.get(`${query.index}\0${query.equals.join('\0')}`) ?? []), ...drafted]
  }

  writes(): Write[] {
    const writes: Write[] = []
    for (const [id, after] of this.changed) {
      const before = this.stored.get(id) ?? undefined
      if (after !== null || before !== undefined) writes.push({ collection: this.collection, id, before, after: after ?? undefined })
    }
    return writes
  }

  committed(): void {
    if (this.collection.seldom) this.stored.clear()
    else {
      for (const [id, doc] of this.changed) {
        // Deleting first moves the document to the young end of the map.
        this.stored.delete(id)
        this.stored.set(id, doc)
      }
      this.#forgetOldest()
    }
    this.changed.clear()
    this.moved.clear()
  }

  #forgetOldest(): void {
    let excess = this.stored.size - REMEMBERED
    if (excess <= 0) return
    for (const id of this.stored.keys()) {
      if (excess-- <= 0) break
      this.stored.delete(id)
    }
  }

  #noteMoves(id: string, doc: Doc): void {
    const previous = this.changed.get(id) ?? this.stored.get(id) ?? undefined
    for (const index of this.#foldIndexes) {
      if (previous !== undefined && sameFields(index, doc, previous)) continue
      const key = keyOf(index, doc)
      if (key === null) continue
      const ids = this.moved.get(key) ?? new Set()
      this.moved.set(key, ids.add(id))
    }
  }
}

function sameFields(index: IndexSpec, a: Doc, b: Doc): boolean {
  return index.fields.every((field) => fieldOf(a, field) === fieldOf(b, field))
}

const fieldOf = (doc: Doc, field: string): unknown => (doc as unknown as Record<string, unknown>)[field]

/** Sweeps look fold indexes up by all of their fields, so an entry is one string. */
function keyOf(index: IndexSpec, doc: Doc): string | null {
  let key = index.name
  for (const field of index.fields) {
    const value = fieldOf(doc, field)
    if (typeof value !== 'string' && typeof value !== 'number') return null
    key += `\0${value}`
  }
  return key
}

function matchesQuery(collection: Collection, query: IndexQuery, doc: Doc): boolean {
  if (query.index === '_id') return doc._id.startsWith(query.startsWith ?? '')
  const index = collection.indexes.find((candidate) => candidate.name === query.index)
  return index !== undefined && keyOf(index, doc) === `${query.index}\0${query.equals.join('\0')}`
}
