import type { z } from 'zod'
import type { Position } from '../events/ids.js'
import { plural } from '../lib/plural.js'

/** A read-model document: plain JSON under an id. */
export interface Doc {
  _id: string
}

export type IndexValue = string | number

export interface IndexSpec {
  name: string
  /** Dotted paths. A document is in the index only if all of them hold a string or a number. */
  fields: readonly string[]
  /** The one of `fields` that holds an array: the document is in the index once per element. */
  each?: string
  /** Order of the entries behind the equal part of a query; ties follow `_id` in the same direction. */
  order?: 'asc' | 'desc'
  /** `fold`: the projection looks documents up by it. `query`: only readers do, so it can be built after loading. */
  use: 'fold' | 'query'
  /** The list holds words to search for. Asked by `ids` for one of them, by `WordReads` for several: stores may have something better for it. */
  fullText?: true
}

export interface Collection<D extends Doc = Doc> {
  name: string
  schema: z.ZodType<D>
  indexes: readonly IndexSpec[]
  /** Many tiny documents (likes, follows): stores may keep them in id order. */
  edges?: boolean
  /** Documents hardly ever needed twice in a row: the projector need not remember them. */
  uncached?: boolean
  /** Groups of fields that some readers want alone, by name. */
  fieldGroups?: Readonly<Record<string, readonly string[]>>
  /** Set on what stands for one of the parts of a collection: whoever reads through it does not care about other fields. */
  fieldGroup?: string
}

export interface IndexQuery {
  /** The name of a declared index, or `_id`. */
  index: string
  /** Values of the leading fields. */
  equals: readonly IndexValue[]
  /** The next field, a string, begins with this. */
  startsWith?: string
}

export interface RangeQuery extends IndexQuery {
  limit: number
  /** Continue behind this entry: its values of the fields that `equals` left open, then its id. */
  after?: readonly IndexValue[]
}

/** Documents whose list of words holds all of some, and one that begins with something. None of them is empty. */
export interface SearchQuery {
  /** The name of a declared index of `words`. */
  index: string
  terms: readonly string[]
  prefix: string
}

/** Documents that have, under the same id in another collection, one that holds words. */
export interface SearchFilter {
  collection: Collection
  query: SearchQuery
}

/** How many are to be found, and among how many, about: stores may choose by it how to look for them. */
export interface Selectivity {
  matches: number
  total: number
}

export interface Reads {
  /** Documents in the order of their ids; `undefined` where there is none. */
  get<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]>
  range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]>
  /** Like `range`, but only the ids, which stores can answer from the index alone. */
  ids(collection: Collection, query: RangeQuery): Promise<string[]>
  /** Entries of the index, counted up to `atMost`. */
  count(collection: Collection, query: IndexQuery, atMost?: number): Promise<number>
}

/** Search, which only readers need. */
export interface SearchReads {
  /** How many documents hold the words, each counted once. */
  countMatching(collection: Collection, query: SearchQuery): Promise<number>
  /** Ids of documents that hold the words, each once, in no particular order. */
  idsMatching(collection: Collection, query: SearchQuery, limit: number): Promise<string[]>
  /** All documents beside the words, each once, in no particular order. */
  getMatching<D extends Doc>(collection: Collection<D>, filter: SearchFilter): Promise<D[]>
  /** Like `range`, but only documents beside the words. */
  rangeMatching<D extends Doc>(collection: Collection<D>, query: RangeQuery, filter: SearchFilter, selectivity: Selectivity): Promise<D[]>
}

/** An index that does not say what the documents say. */
export interface IndexFault {
  index: string
  /** How many of its entries are missing or too many; of one of words, how many words are found elsewhere than they are held. */
  wrong: number
  /** Some of the documents, or words, that are concerned. */
  such: string[]
}

/** One index of a collection. */
export interface IndexRef {
  collection: Collection
  index: string
}

export interface Write {
  collection: Collection
  id: string
  /** The document this one replaces, as the writer read it: fencing makes sure that nobody wrote in between. */
  before: Doc | undefined
  /** `undefined` deletes. */
  after: Doc | undefined
}

/** A fan-out too large for one commit is under way: events up to `position` are folded, and part of the next one. */
export interface FanOutProgress {
  step: number
  /** The last document of the step that is done. */
  afterId: string | null
}

export interface Checkpoint {
  position: Position
  /** The id of the event at `position`, by which another log under the same name is noticed. */
  eventId: string | null
  slice: FanOutProgress | null
  /** Grows with every change of leader. */
  epoch: number
  /** How many events ended in which way since the generation began. */
  tallies: Record<string, number>
  /** No cached answer from before this position may be given any more: somebody was erased here. */
  floor: Position
}

export interface Commit {
  from: Checkpoint
  to: Checkpoint
  /** At most one per document. */
  writes: readonly Write[]
  /** Indexes that are made anew from the documents as they are after `writes`, where the store keeps them by itself. */
  reindex?: readonly IndexRef[]
  /** Documents that depend on others as they are after `writes`, such as the landing. Reads see the writes. */
  computeDerived?: (reads: Reads) => Promise<Write[]>
  /** What the latest commits have touched, for readers who ask for it. Without one, the one before stays. */
  invalidationLog?: string
}

export interface Generation {
  projection: string
  version: number
  number: number
  state: 'loading' | 'live' | 'retired'
  createdAt: number
}

/** Called with each step of a long work, to do it and what has to happen before and after. */
export type RunStep = (step: () => Promise<void>) => Promise<void>

/** One generation of one projection's documents, opened for projecting. */
export interface GenerationStore extends Reads {
  /** Changes beyond this are better not gathered for one commit; as many as memory allows where it is not given. */
  readonly preferredCommitSize?: number
  readonly generation: Generation
  checkpoint(): Promise<Checkpoint>
  /** Makes this writer the only one: commits with a smaller epoch are refused from now on. */
  fence(epoch: number): Promise<Checkpoint>
  /**
   * All or nothing. Throws {@link FencedError} unless the stored checkpoint is still `from`, and {@link CommitTooLargeError}
   * where the same changes in several commits may pass.
   */
  commit(commit: Commit): Promise<void>
  /** Builds the `query` indexes, which a loading generation goes without. */
  buildIndexes(around?: RunStep): Promise<void>
  close(): Promise<void>
}

/** What a reader sees of one model: one generation at one position. */
export interface ModelView extends Reads, SearchReads {
  readonly generation: Generation
  readonly checkpoint: Checkpoint
  /** The latest that a commit has left; it says itself which checkpoint it leads to. `null` without one, or unless asked for. */
  readonly invalidationLog: string | null
  /** None where a server answers for its indexes. */
  indexFaults(collection: Collection): Promise<IndexFault[]>
}

export interface SnapshotOptions {
  /** With the trails of the models. */
  invalidationLogs?: boolean
}

export interface Snapshot {
  model(projection: string): ModelView
  release(): void
}

export interface Lease {
  projection: string
  holder: string
  epoch: number
}

/** A small record beside the models: a request to whoever leads, a decision about an event. */
export interface ControlRecord {
  kind: string
  id: string
  /** Grows with every change; 0 of one that is to be written for the first time. */
  revision: number
  /** Plain JSON. */
  value: unknown
}

export interface DocumentStore {
  generations(projection: string): Promise<Generation[]>
  createGeneration(projection: string, version: number, collections: readonly Collection[]): Promise<Generation>
  openGeneration(generation: Generation, collections: readonly Collection[]): Promise<GenerationStore>
  /**
   * Readers see this generation from the next snapshot on; the one that was live is retired. With a lease, throws
   * {@link FencedError} in the same step when somebody else has led since.
   */
  promote(generation: Generation, lease?: Lease): Promise<void>
  /** Its documents are gone; one that is gone already is no error. Never the live one. A lease fences as above. */
  dropGeneration(generation: Generation, lease?: Lease): Promise<void>

  /** All of a kind, by id. */
  controlRecords(kind: string): Promise<ControlRecord[]>
  /**
   * Writes a note whose stored revision is still the given one, and gives it with its new revision; `null` when it is
   * not, and then nothing is written. Whoever listens to changes is called.
   */
  putControlRecord(note: ControlRecord): Promise<ControlRecord | null>
  /** Gone in any case. */
  deleteControlRecord(kind: string, id: string): Promise<void>

  /** `null` while somebody else holds it. Time is the store's. */
  acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null>
  renewLease(lease: Lease, ttlMs: number): Promise<boolean>
  releaseLease(lease: Lease): Promise<void>
  /** Those that are held now, by projection. */
  leases(): Promise<Lease[]>

  /** Throws {@link ModelUnavailableError} when a projection has no live generation yet. */
  snapshot(projections: readonly string[], options?: SnapshotOptions): Promise<Snapshot>
  /** Calls back soon after a commit, a flip or a note, by whichever process; may call too often. Returns how to stop. */
  onChange(listener: () => void): () => void
  /** The same soon after a note, without being called for every commit where the store can tell. */
  onControlRecord(listener: () => void): () => void
  close(): Promise<void>
}

/** Another projector has taken over, or the checkpoint is not where this one left it. */
export class FencedError extends Error {
  override name = 'FencedError'
}

/** More than the store takes in one commit. Nothing of it is written; fewer changes at a time may pass. */
export class CommitTooLargeError extends Error {
  override name = 'CommitTooLargeError'
  constructor(
    readonly changes: number,
    options?: ErrorOptions,
  ) {
    super(`the store has no room for a commit of ${plural(changes, 'change')}`, options)
  }
}

/** The projection has never been loaded. */
export class ModelUnavailableError extends Error {
  override name = 'ModelUnavailableError'
  constructor(readonly projection: string) {
    super(`the ${projection} model is still being loaded`)
  }
}

/** What is kept under an id, where that is known, is no document. */
export class UnreadableDocumentError extends Error {
  override name = 'UnreadableDocumentError'
  constructor(
    collection: string,
    id: string | null,
    readonly reason: string,
  ) {
    super(`${id === null ? `a document of ${collection}` : `${collection}/${id}`} cannot be read: ${reason}`)
  }
}

/** The store cannot be reached at the moment. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}
