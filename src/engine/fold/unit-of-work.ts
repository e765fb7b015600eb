import { compiled } from '../../events/index.js'
import { approximateSize } from '../../ports/collection.js'
import type { Collection, Doc, IndexQuery, Reads, Write } from '../../ports/document-store.js'
import { PoisonError } from '../definition/dead-letter-collections.js'
import type { Docs, Ref, StateDoc } from '../definition/projection.js'
import { type DocOrMissing, IdentityMap, matchesQuery, type TrackedDocument } from './identity-map.js'

/**
 * The documents a batch works on: those in the store (loaded once and kept between batches, as there is one writer),
 * the changes of the batch, and the drafts of the event being folded.
 */
export class UnitOfWork implements Docs {
  readonly #reads: Reads
  /** So few that a linear search is faster than a lookup. */
  readonly #maps: IdentityMap[] = []
  /** Documents with a draft of the event being folded. */
  #drafts: TrackedDocument[] = []

  constructor(reads: Reads) {
    this.#reads = reads
  }

  get<D extends Doc>(collection: Collection<D>, id: string): D | undefined {
    const tracked = this.#mapOf(collection).find(id)
    if (tracked === undefined) throw notTouchedError(collection, id)
    // An identity map only holds documents of its own collection.
    return (tracked.doc ?? undefined) as D | undefined
  }

  put<D extends Doc>(collection: Collection<D>, doc: D): void {
    this.#draft(collection, doc._id, doc)
  }

  delete<D extends Doc>(collection: Collection<D>, id: string): void {
    this.#draft(collection, id, null)
  }

  /** Treats documents that are not loaded as missing: for finding out what to load. */
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

  /** Adds a document for {@link loadRequested}, unless it is loaded already. */
  requestLoad(collection: Collection, id: string): void {
    this.#mapOf(collection).request(id)
  }

  async loadRequested(): Promise<void> {
    // All at once, as a store may combine the reads. Waits for all of them even when one fails.
    const requested = this.#maps.filter(({ requested }) => requested.size > 0)
    const ended = await Promise.allSettled(requested.map((map) => this.#loadInto(map)))
    for (const load of ended) if (load.status === 'rejected') throw load.reason
  }

  async #loadInto(map: IdentityMap): Promise<void> {
    const ids = [...map.requested]
    map.requested.clear()
    const docs = await this.#reads.get(map.collection, ids)
    ids.forEach((id, i) => {
      map.add(id, docs[i] ?? null)
    })
  }

  /** Ids after `afterId` of documents that may match, in order: in the store, and changed by the batch. */
  async matching(collection: Collection, query: IndexQuery, afterId: string | null, limit: number): Promise<string[]> {
    const found = await this.#reads.ids(collection, { ...query, limit, ...(afterId === null ? {} : { after: [afterId] }) })
    const last = found.length < limit ? null : (found.at(-1) ?? null)
    const ids = new Set(found)
    const drafted = this.#drafts.filter((tracked) => tracked.map.collection === collection)
    for (const id of [...this.#mapOf(collection).newMatchesOf(query), ...drafted.map((tracked) => tracked.id)])
      if ((afterId === null || id > afterId) && (last === null || id <= last)) ids.add(id)
    return [...ids].sort()
  }

  /** How many match in the store. */
  countMatching(collection: Collection, query: IndexQuery): Promise<number> {
    return this.#reads.count(collection, query)
  }

  /** Whether a loaded document matches, with the changes of the batch. */
  matches(collection: Collection, query: IndexQuery, id: string): boolean {
    const doc = this.#mapOf(collection).find(id)?.doc
    return doc !== undefined && doc !== null && matchesQuery(collection, query, doc)
  }

  /** Whether the event being folded changes a document. Compares their texts, so not for every event. */
  get hasChanges(): boolean {
    return this.#drafts.some(({ doc, accepted }) => JSON.stringify(doc) !== JSON.stringify(accepted))
  }

  /** The state documents that the event being folded has turned into tombstones. */
  newTombstones(): Ref[] {
    return this.#drafts.filter(turnsIntoTombstone).map(({ map, id }) => ({ collection: map.collection, id }))
  }

  get hasNewTombstones(): boolean {
    return this.#drafts.some(turnsIntoTombstone)
  }

  acceptDrafts(): void {
    if (this.#drafts.length === 0) return
    for (const tracked of this.#drafts) tracked.map.accept(tracked)
    this.#drafts = []
  }

  discardDrafts(): void {
    for (const tracked of this.#drafts) {
      tracked.doc = tracked.accepted
      tracked.isDraft = false
    }
    this.#drafts = []
  }

  /** Checks the documents of one event. */
  checkDrafts(): void {
    for (const { map, doc } of this.#drafts) if (doc !== null) checkDocument(map.collection, doc)
  }

  /** The changes of the batch, each document once. */
  writes(): Write[] {
    return this.#maps.flatMap((map) => map.writes())
  }

  get changeCount(): number {
    let count = 0
    for (const map of this.#maps) count += map.changed.length
    return count
  }

  committed(): void {
    this.commitStarted()
    this.commitFinished()
  }

  /** From now on the next batch takes the changes for what the store holds. */
  commitStarted(): void {
    for (const map of this.#maps) map.commitStarted()
  }

  /** Evicts what is no longer needed. Must not be called while there are drafts. */
  commitFinished(): void {
    for (const map of this.#maps) map.commitFinished()
  }

  /** Undoes everything since the last commit was started. */
  discardChanges(): void {
    this.discardDrafts()
    for (const map of this.#maps) map.discardChanges()
  }

  #draft(collection: Collection, id: string, doc: DocOrMissing): void {
    const tracked = this.#mapOf(collection).find(id)
    // Without the document that it replaces, old index entries would remain.
    if (tracked === undefined) throw notTouchedError(collection, id)
    if (!tracked.isDraft) {
      tracked.isDraft = true
      this.#drafts.push(tracked)
    }
    tracked.doc = doc
  }

  #mapOf(collection: Collection): IdentityMap {
    for (const map of this.#maps) if (map.collection === collection) return map
    const map = new IdentityMap(collection)
    this.#maps.push(map)
    return map
  }
}

const isTombstone = (doc: DocOrMissing): boolean => doc !== null && (doc as Partial<StateDoc>).removed === true

const turnsIntoTombstone = ({ doc, accepted }: TrackedDocument): boolean => isTombstone(doc) && !isTombstone(accepted)

const notTouchedError = (collection: Collection, id: string): Error => new Error(`${collection.name}/${id} was used without being touched`)

/** A tenth of what MongoDB takes. A read model needs no larger documents. */
const MAX_DOCUMENT_CHARACTERS = 1_500_000

/** Checks a document before it is written, so that a mistake parks one aggregate instead of stopping the projection. */
export function checkDocument(collection: Collection, doc: Doc): void {
  const parsed = compiled(collection.schema).safeParse(doc)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new PoisonError(`${collection.name}/${doc._id}: ${issue?.path.join('.')} ${issue?.message}`)
  }
  // Only documents that grow with the number of events get near the limit, so an approximate size is enough.
  const size = approximateSize(doc)
  if (Number.isNaN(size)) throw new PoisonError(`${collection.name}/${doc._id} holds text that is not well-formed`)
  if (size > MAX_DOCUMENT_CHARACTERS) throw new PoisonError(`${collection.name}/${doc._id} has grown too large`)
}
