import type { Collection, Doc, IndexQuery, IndexSpec, Reads, Write } from '../../ports/document-store.js'
import type { Docs, Ref } from '../definition/projection.js'

/** How many committed documents of a collection to remember. */
const MAX_KEPT_DOCUMENTS = 8_000

/**
 * The documents a batch works on: what the store holds (loaded once, remembered from batch to batch, since nobody
 * else writes), what the batch has changed so far, and the drafts of the event being folded.
 */
export class UnitOfWork implements Docs {
  readonly #reads: Reads
  /** So few that going through them is faster than looking one up. */
  readonly #maps: IdentityMap[] = []
  /** Documents with a draft of the event being folded, in the order of their drafting. */
  #drafts: TrackedDocument[] = []

  constructor(reads: Reads) {
    this.#reads = reads
  }

  get<D extends Doc>(collection: Collection<D>, id: string): D | undefined {
    const slot = this.#mapOf(collection).find(id)
    if (slot === undefined) throw notTouchedError(collection, id)
    // A shelf only holds documents of its own collection.
    return (slot.doc ?? undefined) as D | undefined
  }

  put<D extends Doc>(collection: Collection<D>, doc: D): void {
    this.#draft(collection, doc._id, doc)
  }

  delete<D extends Doc>(collection: Collection<D>, id: string): void {
    this.#draft(collection, id, null)
  }

  /** Like reading, but a document that is not loaded counts as missing: for finding out what has to be loaded. */
  readonly loadedDocs: Docs = {
    get: (collection, id) => (this.#mapOf(collection).find(id)?.doc ?? undefined) as never,
    put: () => {},
    delete: () => {},
  }

  isLoaded({ collection, id }: Ref): boolean {
    return this.#mapOf(collection).find(id) !== undefined
  }

  async load(refs: Iterable<Ref>): Promise<void> {
    for (const { collection, id } of refs) this.requestLoad(collection, id)
    await this.loadRequested()
  }

  /** Notes what {@link loadRequested} has to load, unless it is there already. */
  requestLoad(collection: Collection, id: string): void {
    this.#mapOf(collection).request(id)
  }

  async loadRequested(): Promise<void> {
    // All at once: a store may answer several questions of one moment in one go. None is left under way when one fails.
    const wanting = this.#maps.filter(({ requested }) => requested.size > 0)
    const ended = await Promise.allSettled(wanting.map((shelf) => this.#loadInto(shelf)))
    for (const load of ended) if (load.status === 'rejected') throw load.reason
  }

  async #loadInto(shelf: IdentityMap): Promise<void> {
    const ids = [...shelf.requested]
    shelf.requested.clear()
    const docs = await this.#reads.get(shelf.collection, ids)
    ids.forEach((id, i) => {
      shelf.add(id, docs[i] ?? null)
    })
  }

  /** Ids of the documents that match right now and come after `afterId`, in order: the store's and the batch's own. */
  async matching(collection: Collection, query: IndexQuery, afterId: string | null, limit: number): Promise<string[]> {
    const found = await this.#reads.ids(collection, { ...query, limit, ...(afterId === null ? {} : { after: [afterId] }) })
    const last = found.length < limit ? null : (found.at(-1) ?? null)
    const ids = new Set(found)
    const drafted = this.#drafts.filter((slot) => slot.map.collection === collection)
    for (const id of [...this.#mapOf(collection).newMatchesOf(query), ...drafted.map((slot) => slot.id)])
      if ((afterId === null || id > afterId) && (last === null || id <= last)) ids.add(id)
    return [...ids].sort()
  }

  /** Whether a loaded document still matches, after what the batch has done to it. */
  matches(collection: Collection, query: IndexQuery, id: string): boolean {
    const doc = this.#mapOf(collection).find(id)?.doc
    return doc !== undefined && doc !== null && matchesQuery(collection, query, doc)
  }

  acceptDrafts(): void {
    if (this.#drafts.length === 0) return
    for (const slot of this.#drafts) slot.map.accept(slot)
    this.#drafts = []
  }

  discardDrafts(): void {
    for (const slot of this.#drafts) {
      slot.doc = slot.accepted
      slot.isDraft = false
    }
    this.#drafts = []
  }

  /** What the drafts would write, for checking one event on its own. */
  drafted(): { collection: Collection; doc: Doc }[] {
    return this.#drafts.flatMap(({ map, doc }) => (doc === null ? [] : [{ collection: map.collection, doc }]))
  }

  /** Everything the batch has changed, each document once. */
  writes(): Write[] {
    return this.#maps.flatMap((shelf) => shelf.writes())
  }

  get changeCount(): number {
    let count = 0
    for (const shelf of this.#maps) count += shelf.changed.length
    return count
  }

  committed(): void {
    this.commitStarted()
    this.commitFinished()
  }

  /** What the batch has changed is on its way to the store, and is what it holds as far as the next batch is concerned. */
  commitStarted(): void {
    for (const shelf of this.#maps) shelf.commitStarted()
  }

  /** What was sent is there, so that some of it can be forgotten. Not while there are drafts. */
  commitFinished(): void {
    for (const shelf of this.#maps) shelf.commitFinished()
  }

  /** Back to what the store holds, or is about to. */
  discardChanges(): void {
    this.discardDrafts()
    for (const shelf of this.#maps) shelf.discardChanges()
  }

  #draft(collection: Collection, id: string, doc: DocOrMissing): void {
    const slot = this.#mapOf(collection).find(id)
    // What it replaces must be known, or its old index entries would stay behind.
    if (slot === undefined) throw notTouchedError(collection, id)
    if (!slot.isDraft) {
      slot.isDraft = true
      this.#drafts.push(slot)
    }
    slot.doc = doc
  }

  #mapOf(collection: Collection): IdentityMap {
    for (const shelf of this.#maps) if (shelf.collection === collection) return shelf
    const shelf = new IdentityMap(collection)
    this.#maps.push(shelf)
    return shelf
  }
}

const notTouchedError = (collection: Collection, id: string): Error => new Error(`${collection.name}/${id} was used without being touched`)

/** `null` is a document known not to exist. */
type DocOrMissing = Doc | null

/** Ids by the values of a fold index. */
type IdsByIndexValue = Map<string, string[]>

/** One document: found once, it is read, drafted, accepted and written without being looked up again. */
class TrackedDocument {
  /** As it is right now, drafts included. */
  doc: DocOrMissing
  /** As the events before the one being folded have left it. */
  accepted: DocOrMissing
  /** As the store has it. */
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

/** One collection's part of the working set. */
class IdentityMap {
  readonly requested = new Set<string>()
  changed: TrackedDocument[] = []
  /** On their way to the store: what it says of them may be old. */
  #committing: TrackedDocument[] = []
  readonly #documents = new Map<string, TrackedDocument>()
  /** A fold asks for the same document several times in a row. */
  #lastFound: TrackedDocument | undefined
  /** Per fold index, by value: documents that may have come to match during the batch, so that the store cannot know. */
  readonly #newMatches: readonly { index: IndexSpec; ids: IdsByIndexValue; commitStarted: IdsByIndexValue }[]

  constructor(readonly collection: Collection) {
    this.#newMatches = collection.indexes
      .filter(({ use }) => use === 'fold')
      .map((index) => ({ index, ids: new Map(), commitStarted: new Map() }))
  }

  find(id: string): TrackedDocument | undefined {
    if (this.#lastFound?.id === id) return this.#lastFound
    const find = this.#documents.get(id)
    if (find !== undefined) this.#lastFound = find
    return find
  }

  request(id: string): void {
    if (this.find(id) === undefined) this.requested.add(id)
  }

  add(id: string, stored: DocOrMissing): void {
    this.#documents.set(id, new TrackedDocument(this, id, stored))
  }

  accept(find: TrackedDocument): void {
    if (find.doc !== null) this.#recordNewMatches(find.id, find.doc, find.accepted)
    find.accepted = find.doc
    find.isDraft = false
    if (find.isChanged) return
    find.isChanged = true
    this.changed.push(find)
  }

  newMatchesOf(query: IndexQuery): Iterable<string> {
    if (query.index === '_id')
      return [...this.#committing, ...this.changed].map(({ id }) => id).filter((id) => id.startsWith(query.startsWith ?? ''))
    const moved = this.#newMatches.find(({ index }) => index.name === query.index)
    const key = query.equals.join('\0')
    return [...(moved?.commitStarted.get(key) ?? []), ...(moved?.ids.get(key) ?? [])]
  }

  writes(): Write[] {
    const writes: Write[] = []
    for (const { id, stored, accepted } of this.changed)
      if (accepted !== null || stored !== null)
        writes.push({ collection: this.collection, id, before: stored ?? undefined, after: accepted ?? undefined })
    return writes
  }

  commitStarted(): void {
    for (const find of this.changed) {
      find.stored = find.accepted
      find.isChanged = false
    }
    this.#committing = this.changed
    this.changed = []
    for (const moved of this.#newMatches) {
      moved.commitStarted = moved.ids
      moved.ids = new Map()
    }
  }

  commitFinished(): void {
    if (this.collection.uncached) this.#evict(this.#documents.size)
    else {
      for (const find of this.#committing) {
        // Deleting first moves the document to the young end of the map.
        this.#documents.delete(find.id)
        this.#documents.set(find.id, find)
      }
      this.#evict(this.#documents.size - MAX_KEPT_DOCUMENTS)
    }
    this.#committing = []
    for (const { commitStarted } of this.#newMatches) commitStarted.clear()
    // It may be one of those just forgotten.
    this.#lastFound = undefined
  }

  discardChanges(): void {
    for (const find of this.changed) {
      find.doc = find.accepted = find.stored
      find.isChanged = false
    }
    this.changed = []
    for (const { ids } of this.#newMatches) ids.clear()
  }

  /** The oldest so many, without those that have changed since. */
  #evict(excess: number): void {
    for (const find of this.#documents.values()) {
      if (excess-- <= 0) break
      if (!find.isChanged) this.#documents.delete(find.id)
    }
  }

  #recordNewMatches(id: string, doc: Doc, previous: DocOrMissing): void {
    for (const { index, ids } of this.#newMatches) {
      if (previous !== null && sameFields(index, doc, previous)) continue
      const key = indexKeyOf(index, doc)
      if (key === null) continue
      const moved = ids.get(key)
      if (moved === undefined) ids.set(key, [id])
      else moved.push(id)
    }
  }
}

function sameFields(index: IndexSpec, a: Doc, b: Doc): boolean {
  for (const field of index.fields) if (fieldOf(a, field) !== fieldOf(b, field)) return false
  return true
}

const fieldOf = (doc: Doc, field: string): unknown => (doc as unknown as Record<string, unknown>)[field]

/** Sweeps look fold indexes up by all of their fields, so an entry is one string. */
function indexKeyOf(index: IndexSpec, doc: Doc): string | null {
  let key = ''
  for (const field of index.fields) {
    const value = fieldOf(doc, field)
    if (typeof value !== 'string' && typeof value !== 'number') return null
    key = field === index.fields[0] ? String(value) : `${key}\0${value}`
  }
  return key
}

function matchesQuery(collection: Collection, query: IndexQuery, doc: Doc): boolean {
  if (query.index === '_id') return doc._id.startsWith(query.startsWith ?? '')
  const index = collection.indexes.find((candidate) => candidate.name === query.index)
  return index !== undefined && indexKeyOf(index, doc) === query.equals.join('\0')
}
