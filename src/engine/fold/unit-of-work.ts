import type { Collection, Doc, IndexQuery, Reads, Write } from '../../ports/document-store.js'
import type { Docs, Ref } from '../definition/projection.js'
import { type DocOrMissing, IdentityMap, matchesQuery, type TrackedDocument } from './identity-map.js'

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
    const ended = await Promise.allSettled(wanting.map((map) => this.#loadInto(map)))
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

  /** Ids of the documents that match right now and come after `afterId`, in order: the store's and the batch's own. */
  async matching(collection: Collection, query: IndexQuery, afterId: string | null, limit: number): Promise<string[]> {
    const found = await this.#reads.ids(collection, { ...query, limit, ...(afterId === null ? {} : { after: [afterId] }) })
    const last = found.length < limit ? null : (found.at(-1) ?? null)
    const ids = new Set(found)
    const drafted = this.#drafts.filter((tracked) => tracked.map.collection === collection)
    for (const id of [...this.#mapOf(collection).newMatchesOf(query), ...drafted.map((tracked) => tracked.id)])
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

  /** What the drafts would write, for checking one event on its own. */
  drafted(): { collection: Collection; doc: Doc }[] {
    return this.#drafts.flatMap(({ map, doc }) => (doc === null ? [] : [{ collection: map.collection, doc }]))
  }

  /** Everything the batch has changed, each document once. */
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

  /** What the batch has changed is on its way to the store, and is what it holds as far as the next batch is concerned. */
  commitStarted(): void {
    for (const map of this.#maps) map.commitStarted()
  }

  /** What was sent is there, so that some of it can be forgotten. Not while there are drafts. */
  commitFinished(): void {
    for (const map of this.#maps) map.commitFinished()
  }

  /** Back to what the store holds, or is about to. */
  discardChanges(): void {
    this.discardDrafts()
    for (const map of this.#maps) map.discardChanges()
  }

  #draft(collection: Collection, id: string, doc: DocOrMissing): void {
    const tracked = this.#mapOf(collection).find(id)
    // What it replaces must be known, or its old index entries would stay behind.
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

const notTouchedError = (collection: Collection, id: string): Error => new Error(`${collection.name}/${id} was used without being touched`)
