import { type Position, START } from '../../events/index.js'
import type { Collection, Doc, Write } from '../../ports/document-store.js'
import { type DeadLetterDoc, deadLetters } from '../definition/dead-letter-collections.js'
import { scanDocuments } from '../definition/scan-documents.js'
import type { DecodedRecord } from '../fold/log-page.js'
import { LogReplay, type LogReplayOptions } from './log-replay.js'

/** A position, or a time by the log's clock: everything appended until then. */
export type Moment = { position: Position } | { time: number }

export interface AsOfOptions extends Pick<LogReplayOptions, 'projection' | 'log' | 'store' | 'scratch' | 'onProgress'> {
  until?: Moment
  /** Only documents that were written after this. */
  from?: Moment
}

/** The documents of a projection as they were, without what has been removed since. */
export class AsOf {
  readonly #replay: LogReplay
  /** Written after `from`; `null` when all documents are wanted. */
  #changed: Set<string> | null = null
  readonly #notYetCreated = new Set<string>()
  /** The last event that counted. */
  position = START

  static async fold({ until, from, ...options }: AsOfOptions): Promise<AsOf> {
    let onWrite: (write: Write) => void = () => {}
    const replay = await LogReplay.open({ ...options, onWrites: (writes) => writes.forEach(onWrite) })
    const asOf = new AsOf(replay)
    if (from !== undefined) {
      await replay.foldWhile(isWithin(from))
      const since = new Set<string>()
      onWrite = ({ collection, id }) => since.add(keyOf(collection, id))
      asOf.#changed = since
    }
    await replay.foldWhile(until === undefined ? () => true : isWithin(until))
    asOf.position = replay.position
    // Later removals only take away. Tombstones they create are of documents that did not exist then.
    onWrite = ({ collection, id, before }) => before === undefined && asOf.#notYetCreated.add(keyOf(collection, id))
    await replay.applyLaterRemovals()
    onWrite = () => {}
    await replay.makeReadable()
    return asOf
  }

  private constructor(replay: LogReplay) {
    this.#replay = replay
  }

  async *documents(collection: Collection, key?: string): AsyncGenerator<Doc, void, void> {
    if (key === undefined) {
      for await (const doc of scanDocuments(this.#replay.reads, collection)) if (this.#isWanted(collection, doc._id)) yield doc
      return
    }
    const [doc] = await this.#replay.reads.get(collection, [key])
    if (doc !== undefined && this.#isWanted(collection, key)) yield doc
  }

  /** The events that could not be folded, the oldest first. */
  async poisonEvents(): Promise<DeadLetterDoc[]> {
    const found: DeadLetterDoc[] = []
    for await (const letter of scanDocuments(this.#replay.reads, deadLetters)) found.push(letter)
    return found
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
