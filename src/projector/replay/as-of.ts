import type { Position } from '../../events/index.js'
import type { Collection, Doc, DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Decisions } from '../decisions.js'
import type { Projection } from '../definition.js'
import { Source, type SourceEvent } from '../source.js'
import { documentsOf } from './documents.js'
import { Refold } from './refold.js'

/** A place in the log, or a moment by the log's own clock: everything appended until then. */
export type Moment = { position: Position } | { time: number }

export interface AsOfOptions {
  projection: Projection
  log: EventLog
  store: DocumentStore
  scratch: DocumentStore
  until?: Moment
  /** Give only documents that were written after this. */
  from?: Moment
  advanced?: (events: number) => void
}

/** The documents of a projection as they were, without whatever has been removed since. */
export class AsOf {
  readonly #refold: Refold
  readonly #changed: ReadonlySet<string> | null
  readonly #position: Position

  static async fold({ projection, log, store, scratch, until, from, advanced }: AsOfOptions): Promise<AsOf> {
    let changed: Set<string> | null = null
    const refold = await Refold.begin({
      projection,
      source: new Source(log),
      scratch,
      decisions: await Decisions.of(store, projection.name),
      written: ({ collection, id }) => changed?.add(keyOf(collection, id)),
      ...(advanced === undefined ? {} : { advanced }),
    })
    if (from !== undefined) {
      await refold.while(isWithin(from))
      changed = new Set()
    }
    await refold.while(until === undefined ? () => true : isWithin(until))
    const { position } = refold
    await refold.applyLaterRemovals()
    await refold.finish()
    return new AsOf(refold, changed, position)
  }

  private constructor(refold: Refold, changed: ReadonlySet<string> | null, position: Position) {
    this.#refold = refold
    this.#changed = changed
    this.#position = position
  }

  /** The last event that counted. */
  get position(): Position {
    return this.#position
  }

  async *documents(collection: Collection, key?: string): AsyncGenerator<Doc, void, void> {
    if (key === undefined) {
      for await (const doc of documentsOf(this.#refold.reads, collection)) if (this.#isWanted(collection, doc._id)) yield doc
      return
    }
    const [doc] = await this.#refold.reads.get(collection, [key])
    if (doc !== undefined && this.#isWanted(collection, key)) yield doc
  }

  close(): Promise<void> {
    return this.#refold.close()
  }

  #isWanted(collection: Collection, id: string): boolean {
    return this.#changed === null || this.#changed.has(keyOf(collection, id))
  }
}

const isWithin =
  (moment: Moment) =>
  ({ record }: SourceEvent): boolean =>
    'position' in moment ? record.position <= moment.position : record.appendedAt <= moment.time

const keyOf = ({ name }: Collection, id: string): string => `${name}/${id}`
