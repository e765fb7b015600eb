import type { Position } from '../../events/index.js'
import type { Collection, Doc, DocumentStore, Write } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Discards } from '../dead-letters/discards.js'
import { type DeadLetterDoc, deadLettersOf, loadParked } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { scanDocuments } from '../definition/scan-documents.js'
import { type DecodedRecord, LogReader } from '../fold/log-reader.js'
import { LogReplay } from './log-replay.js'

/** A position, or a time by the log's clock: everything appended until then. */
export type Moment = { position: Position } | { time: number }

export interface AsOfOptions {
  projection: Projection
  log: EventLog
  store: DocumentStore
  scratch: DocumentStore
  until?: Moment
  /** Only documents that were written after this. */
  from?: Moment
  onProgress?: (events: number) => void
}

/** The documents of a projection as they were, without what has been removed since. */
export class AsOf {
  readonly #replay: LogReplay
  readonly #changed: ReadonlySet<string> | null
  readonly #notYetCreated: ReadonlySet<string>
  readonly #position: Position

  static async fold({ projection, log, store, scratch, until, from, onProgress }: AsOfOptions): Promise<AsOf> {
    let changed: Set<string> | null = null
    const notYetCreated = new Set<string>()
    let onWrite: (write: Write) => void = () => {}
    const replay = await LogReplay.open({
      projection,
      reader: new LogReader(log),
      scratch,
      discards: await Discards.load(store, projection.name),
      onWrites: (writes) => writes.forEach(onWrite),
      ...(onProgress === undefined ? {} : { onProgress }),
    })
    if (from !== undefined) {
      await replay.foldWhile(isWithin(from))
      const since = new Set<string>()
      onWrite = ({ collection, id }) => since.add(keyOf(collection, id))
      changed = since
    }
    await replay.foldWhile(until === undefined ? () => true : isWithin(until))
    const { position } = replay
    // Later removals only take away. Tombstones they create are of documents that did not exist then.
    onWrite = ({ collection, id, before }) => before === undefined && notYetCreated.add(keyOf(collection, id))
    await replay.applyLaterRemovals()
    onWrite = () => {}
    await replay.makeReadable()
    return new AsOf(replay, changed, notYetCreated, position)
  }

  private constructor(replay: LogReplay, changed: ReadonlySet<string> | null, notYetCreated: ReadonlySet<string>, position: Position) {
    this.#replay = replay
    this.#changed = changed
    this.#notYetCreated = notYetCreated
    this.#position = position
  }

  /** The last event that counted. */
  get position(): Position {
    return this.#position
  }

  async *documents(collection: Collection, key?: string): AsyncGenerator<Doc, void, void> {
    if (key === undefined) {
      for await (const doc of scanDocuments(this.#replay.reads, collection)) if (this.#isWanted(collection, doc._id)) yield doc
      return
    }
    const [doc] = await this.#replay.reads.get(collection, [key])
    if (doc !== undefined && this.#isWanted(collection, key)) yield doc
  }

  /** The events that parked their aggregates, the oldest first. */
  async poisonEvents(): Promise<DeadLetterDoc[]> {
    const parked = await loadParked(this.#replay.reads)
    const heads = await Promise.all([...parked.keys()].map(async (aggregate) => (await deadLettersOf(this.#replay.reads, aggregate))[0]))
    return heads.filter((head) => head !== undefined).sort((a, b) => a.position - b.position)
  }

  close(): Promise<void> {
    return this.#replay.close()
  }

  #isWanted(collection: Collection, id: string): boolean {
    const key = keyOf(collection, id)
    return !this.#notYetCreated.has(key) && (this.#changed === null || this.#changed.has(key))
  }
}

const isWithin =
  (moment: Moment) =>
  ({ record }: DecodedRecord): boolean =>
    'position' in moment ? record.position <= moment.position : record.appendedAt <= moment.time

const keyOf = ({ name }: Collection, id: string): string => `${name}/${id}`
