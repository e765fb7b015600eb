import type { Collection, Doc, IndexQuery, IndexSpec, Reads, Write } from '../../ports/document-store.js'
import type { Docs, Ref } from '../definition/projection.js'
import { Seen } from './bloom-filter.js'

/** How many committed documents of a collection to remember. */
const REMEMBERED = 8_000

/**
 * The documents a batch works on: what the store holds (loaded once, remembered from batch to batch, since nobody
 * else writes), what the batch has changed so far, and the drafts of the event being folded.
 */
export class WorkingSet implements Docs {
  readonly #reads: Reads
  readonly #beganEmpty: boolean
  /** So few that going through them is faster than looking one up. */
  readonly #shelves: Shelf[] = []
  /** Documents with a draft of the event being folded, in the order of their drafting. */
  #drafting: Slot[] = []

  /** Of a store that `beganEmpty` most of what is new need not be asked for: nobody else writes to it. */
  constructor(reads: Reads, { beganEmpty = false } = {}) {
    this.#reads = reads
    this.#beganEmpty = beganEmpty
  }

  get<D extends Doc>(collection: Collection<D>, id: string): D | undefined {
    const slot = this.#shelf(collection).slot(id)
    if (slot === undefined) throw untouched(collection, id)
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
  readonly guess: Docs = {
    get: (collection, id) => (this.#shelf(collection).slot(id)?.doc ?? undefined) as never,
    put: () => {},
    delete: () => {},
  }

  isLoaded({ collection, id }: Ref): boolean {
    return this.#shelf(collection).slot(id) !== undefined
  }

  async load(refs: Iterable<Ref>): Promise<void> {
    for (const { collection, id } of refs) this.want(collection, id)
    await this.loadWanted()
  }

  /** Notes what {@link loadWanted} has to load, unless it is there already. */
  want(collection: Collection, id: string): void {
    this.#shelf(collection).want(id)
  }

  async loadWanted(): Promise<void> {
    // All at once: a store may answer several questions of one moment in one go. None is left under way when one fails.
    const wanting = this.#shelves.filter(({ wanted }) => wanted.size > 0)
    const ended = await Promise.allSettled(wanting.map((shelf) => this.#loadShelf(shelf)))
    for (const load of ended) if (load.status === 'rejected') throw load.reason
  }

  async #loadShelf(shelf: Shelf): Promise<void> {
    const ids = [...shelf.wanted]
    shelf.wanted.clear()
    const docs = await this.#reads.get(shelf.collection, ids)
    ids.forEach((id, i) => {
      shelf.keep(id, docs[i] ?? null)
    })
  }

  /** Ids of the documents that match right now and come after `afterId`, in order: the store's and the batch's own. */
  async matching(collection: Collection, query: IndexQuery, afterId: string | null, limit: number): Promise<string[]> {
    const found = await this.#reads.ids(collection, { ...query, limit, ...(afterId === null ? {} : { after: [afterId] }) })
    const last = found.length < limit ? null : (found.at(-1) ?? null)
    const ids = new Set(found)
    const drafted = this.#drafting.filter((slot) => slot.shelf.collection === collection)
    for (const id of [...this.#shelf(collection).mayMatch(query), ...drafted.map((slot) => slot.id)])
      if ((afterId === null || id > afterId) && (last === null || id <= last)) ids.add(id)
    return [...ids].sort()
  }

  /** Whether a loaded document still matches, after what the batch has done to it. */
  matches(collection: Collection, query: IndexQuery, id: string): boolean {
    const doc = this.#shelf(collection).slot(id)?.doc
    return doc !== undefined && doc !== null && matchesQuery(collection, query, doc)
  }

  acceptDrafts(): void {
    if (this.#drafting.length === 0) return
    for (const slot of this.#drafting) slot.shelf.accept(slot)
    this.#drafting = []
  }

  discardDrafts(): void {
    for (const slot of this.#drafting) {
      slot.doc = slot.accepted
      slot.isDraft = false
    }
    this.#drafting = []
  }

  /** What the drafts would write, for checking one event on its own. */
  drafted(): { collection: Collection; doc: Doc }[] {
    return this.#drafting.flatMap(({ shelf, doc }) => (doc === null ? [] : [{ collection: shelf.collection, doc }]))
  }

  /** Everything the batch has changed, each document once. */
  writes(): Write[] {
    return this.#shelves.flatMap((shelf) => shelf.writes())
  }

  get changeCount(): number {
    let count = 0
    for (const shelf of this.#shelves) count += shelf.changed.length
    return count
  }

  committed(): void {
    this.sent()
    this.landed()
  }

  /** What the batch has changed is on its way to the store, and is what it holds as far as the next batch is concerned. */
  sent(): void {
    for (const shelf of this.#shelves) shelf.sent()
  }

  /** What was sent is there, so that some of it can be forgotten. Not while there are drafts. */
  landed(): void {
    for (const shelf of this.#shelves) shelf.landed()
  }

  /** Back to what the store holds, or is about to. */
  discardChanges(): void {
    this.discardDrafts()
    for (const shelf of this.#shelves) shelf.discardChanges()
  }

  #draft(collection: Collection, id: string, doc: Known): void {
    const slot = this.#shelf(collection).slot(id)
    // What it replaces must be known, or its old index entries would stay behind.
    if (slot === undefined) throw untouched(collection, id)
    if (!slot.isDraft) {
      slot.isDraft = true
      this.#drafting.push(slot)
    }
    slot.doc = doc
  }

  #shelf(collection: Collection): Shelf {
    for (const shelf of this.#shelves) if (shelf.collection === collection) return shelf
    const shelf = new Shelf(collection, this.#beganEmpty ? new Seen() : null)
    this.#shelves.push(shelf)
    return shelf
  }
}

const untouched = (collection: Collection, id: string): Error => new Error(`${collection.name}/${id} was used without being touched`)

/** `null` is a document known not to exist. */
type Known = Doc | null

/** Ids by the values of a fold index. */
type Moves = Map<string, string[]>

/** One document: found once, it is read, drafted, accepted and written without being looked up again. */
class Slot {
  /** As it is right now, drafts included. */
  doc: Known
  /** As the events before the one being folded have left it. */
  accepted: Known
  /** As the store has it. */
  stored: Known
  isDraft = false
  isChanged = false

  constructor(
    readonly shelf: Shelf,
    readonly id: string,
    stored: Known,
  ) {
    this.doc = stored
    this.accepted = stored
    this.stored = stored
  }
}

/** One collection's part of the working set. */
class Shelf {
  readonly wanted = new Set<string>()
  changed: Slot[] = []
  /** On their way to the store: what it says of them may be old. */
  #sent: Slot[] = []
  readonly #slots = new Map<string, Slot>()
  /** A fold asks for the same document several times in a row. */
  #last: Slot | undefined
  /** Per fold index, by value: documents that may have come to match during the batch, so that the store cannot know. */
  readonly #moved: readonly { index: IndexSpec; ids: Moves; sent: Moves }[]
  readonly #written: Seen | null

  /** `written` are the ids of all there is in the store, if that is known. */
  constructor(
    readonly collection: Collection,
    written: Seen | null,
  ) {
    this.#written = written
    this.#moved = collection.indexes.filter(({ use }) => use === 'fold').map((index) => ({ index, ids: new Map(), sent: new Map() }))
  }

  slot(id: string): Slot | undefined {
    if (this.#last?.id === id) return this.#last
    const slot = this.#slots.get(id)
    if (slot !== undefined) this.#last = slot
    return slot
  }

  want(id: string): void {
    if (this.slot(id) !== undefined) return
    if (this.#written === null || this.#written.mayHave(id)) this.wanted.add(id)
    else this.keep(id, null)
  }

  keep(id: string, stored: Known): void {
    this.#slots.set(id, new Slot(this, id, stored))
  }

  accept(slot: Slot): void {
    if (slot.doc !== null) this.#noteMoves(slot.id, slot.doc, slot.accepted)
    slot.accepted = slot.doc
    slot.isDraft = false
    if (slot.isChanged) return
    slot.isChanged = true
    this.changed.push(slot)
  }

  mayMatch(query: IndexQuery): Iterable<string> {
    if (query.index === '_id')
      return [...this.#sent, ...this.changed].map(({ id }) => id).filter((id) => id.startsWith(query.startsWith ?? ''))
    const moved = this.#moved.find(({ index }) => index.name === query.index)
    const key = query.equals.join('\0')
    return [...(moved?.sent.get(key) ?? []), ...(moved?.ids.get(key) ?? [])]
  }

  writes(): Write[] {
    const writes: Write[] = []
    for (const { id, stored, accepted } of this.changed)
      if (accepted !== null || stored !== null)
        writes.push({ collection: this.collection, id, before: stored ?? undefined, after: accepted ?? undefined })
    return writes
  }

  sent(): void {
    for (const slot of this.changed) {
      if (this.#written !== null && slot.accepted !== null) this.#written.add(slot.id)
      slot.stored = slot.accepted
      slot.isChanged = false
    }
    this.#sent = this.changed
    this.changed = []
    for (const moved of this.#moved) {
      moved.sent = moved.ids
      moved.ids = new Map()
    }
  }

  landed(): void {
    if (this.collection.seldom) this.#forget(this.#slots.size)
    else {
      for (const slot of this.#sent) {
        // Deleting first moves the document to the young end of the map.
        this.#slots.delete(slot.id)
        this.#slots.set(slot.id, slot)
      }
      this.#forget(this.#slots.size - REMEMBERED)
    }
    this.#sent = []
    for (const { sent } of this.#moved) sent.clear()
    // It may be one of those just forgotten.
    this.#last = undefined
  }

  discardChanges(): void {
    for (const slot of this.changed) {
      slot.doc = slot.accepted = slot.stored
      slot.isChanged = false
    }
    this.changed = []
    for (const { ids } of this.#moved) ids.clear()
  }

  /** The oldest so many, without those that have changed since. */
  #forget(excess: number): void {
    for (const slot of this.#slots.values()) {
      if (excess-- <= 0) break
      if (!slot.isChanged) this.#slots.delete(slot.id)
    }
  }

  #noteMoves(id: string, doc: Doc, previous: Known): void {
    for (const { index, ids } of this.#moved) {
      if (previous !== null && sameFields(index, doc, previous)) continue
      const key = keyOf(index, doc)
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
function keyOf(index: IndexSpec, doc: Doc): string | null {
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
  return index !== undefined && keyOf(index, doc) === query.equals.join('\0')
}
