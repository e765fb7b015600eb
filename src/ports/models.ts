/** The documents of the read models: queries, commits, snapshots. */
import type { Collection, Doc, IndexValue } from './collection.js'
import { type Position, START } from './event-log.js'
import type { Generation } from './generations.js'

export interface IndexQuery {
  /** The name of a declared index, or `_id`. */
  index: string
  /** Values of the leading fields. Of an index on a list, an element is among them. */
  equals: readonly IndexValue[]
  /** The next field, a string, begins with this. */
  startsWith?: string
}

export interface RangeQuery extends IndexQuery {
  limit: number
  /** Continue after this entry: its values of the fields that `equals` left open, then its id. */
  after?: readonly IndexValue[]
}

/** Documents whose full-text index holds all terms, and one term with the prefix, if there is one. None of them is empty. */
export interface SearchQuery {
  /** The name of an index declared with `fullText`. */
  index: string
  terms: readonly string[]
  prefix: string | null
}

/** Documents with a match under the same id in another collection. */
export interface SearchFilter {
  collection: Collection
  query: SearchQuery
}

/** About how many of how many match: stores choose a query plan by it. */
export interface Selectivity {
  matches: number
  total: number
}

export interface Reads {
  /** Documents in the order of `ids`; `undefined` where there is none. */
  get<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]>
  range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]>
  /** Like `range`, but only the ids, which stores can read from the index alone. */
  ids(collection: Collection, query: RangeQuery): Promise<string[]>
  /** Entries of the index, counted up to `atMost`. */
  count(collection: Collection, query: IndexQuery, atMost?: number): Promise<number>
}

/** Search, which only readers need. Each document counts once; the order is undefined unless stated. */
export interface SearchReads {
  /** Counted up to `atMost`. */
  countMatching(collection: Collection, query: SearchQuery, atMost?: number): Promise<number>
  /** All of them, or those among `among`, in its order. */
  idsMatching(collection: Collection, query: SearchQuery, among?: readonly string[]): Promise<string[]>
  /** Like `range`, in the order of the index, but only documents that pass the filter. */
  rangeMatching<D extends Doc>(collection: Collection<D>, query: RangeQuery, filter: SearchFilter, selectivity: Selectivity): Promise<D[]>
}

/** An index that does not agree with the documents. */
export interface IndexFault {
  index: string
  /** The number of missing and surplus entries; for a full-text index, the number of terms with wrong documents. */
  wrong: number
  /** Some of the affected documents or terms. */
  such: string[]
}

export interface Write {
  collection: Collection
  id: string
  /** The document this one replaces, as the writer read it. Fencing guarantees that it is still the stored one. */
  before: Doc | undefined
  /** `undefined` deletes. */
  after: Doc | undefined
}

/** An unfinished fan-out, too large for one commit: events up to `position` are folded, and part of the next one. */
export interface FanOutProgress {
  step: number
  /** The last document of the step that is done. */
  afterId: string | null
}

export interface Checkpoint {
  position: Position
  /** The id of the event at `position`. It reveals another log under the same name. */
  eventId: string | null
  slice: FanOutProgress | null
  /** Grows with every change of leader. */
  epoch: number
  /** How many events ended in which way since the generation began. */
  tallies: Record<string, number>
  /** Answers cached before this position are invalid: data was erased or repaired here. */
  floor: Position
}

export interface Commit {
  from: Checkpoint
  to: Checkpoint
  /** At most one per document. */
  writes: readonly Write[]
  /** The recent changes, for readers that ask for them. Without one, the stored one stays. */
  invalidationLog?: string
}

/** Runs one step of a long task; the leader extends its lease around it. */
export type RunStep = (step: () => Promise<void>) => Promise<void>

/** One generation's documents, opened by its writer. */
export interface GenerationStore extends Reads {
  /** The number of changes that one commit should not exceed; unset where memory is the only limit. */
  readonly preferredCommitSize?: number
  readonly generation: Generation
  checkpoint(): Promise<Checkpoint>
  /** Makes this writer the only one: commits with a smaller epoch are refused from now on. */
  fence(epoch: number): Promise<Checkpoint>
  /** All or nothing. Throws `FencedError` unless the stored checkpoint is still `from`, `CommitTooLargeError` where smaller commits may pass. */
  commit(commit: Commit): Promise<void>
  /** Builds the `query` indexes, which a loading generation does without. */
  buildIndexes(runStep?: RunStep): Promise<void>
  close(): Promise<void>
}

/** What the reads of an operation see of one model. */
export interface ModelReads extends Reads, SearchReads {}

/** What a reader sees of one model: one generation at one position. */
export interface ModelView extends ModelReads {
  readonly generation: Generation
  readonly checkpoint: Checkpoint
  /** The latest one, which names the checkpoint it leads to. `null` if there is none, or if it was not asked for. */
  readonly invalidationLog: string | null
  /** Those of the ids whose documents are tombstones. No document is parsed for it. */
  removedAmong(collection: Collection, ids: readonly string[]): Promise<string[]>
  /** Always empty where a database server maintains the indexes. */
  indexFaults(collection: Collection): Promise<IndexFault[]>
}

export interface SnapshotOptions {
  /** Read the models' invalidation logs too. */
  invalidationLogs?: boolean
}

export interface Snapshot {
  model(projection: string): ModelView
  release(): void
  /** Another one of the same moment, without a query. Unset where one that is held for long would cost the store something. */
  again?(): Snapshot
}

/** A snapshot of these views, by projection. */
export function snapshotOf(views: ReadonlyMap<string, ModelView>, release: () => void): Snapshot {
  const model = (projection: string): ModelView => {
    const view = views.get(projection)
    if (view === undefined) throw new Error(`the snapshot does not include ${projection}`)
    return view
  }
  return { model, release }
}

/** The read side: readers cannot write. */
export interface ModelReader {
  /** Throws `ModelUnavailableError` when a projection has no live generation yet. */
  snapshot(projections: readonly string[], options?: SnapshotOptions): Promise<Snapshot>
  /** Calls back soon after a commit, a promotion or a control record, by any process; may call too often. Returns how to stop. */
  onChange(listener: () => void): () => void
}

/** The port for documents. */
export interface Models extends ModelReader {
  openGeneration(generation: Generation, collections: readonly Collection[]): Promise<GenerationStore>
}

/** Before the first event. */
export const INITIAL_CHECKPOINT: Checkpoint = {
  position: START,
  eventId: null,
  slice: null,
  epoch: 0,
  tallies: {},
  floor: START,
}

/** What fencing compares: a commit must start exactly at the stored checkpoint. */
export function sameCheckpoint(a: Checkpoint, b: Checkpoint): boolean {
  return a.epoch === b.epoch && a.position === b.position && a.slice?.step === b.slice?.step && a.slice?.afterId === b.slice?.afterId
}
