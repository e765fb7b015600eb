import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Position } from '../../events/index.js'
import type { DocumentStore, GenerationStore, Reads, Write } from '../../ports/document-store.js'
import type { Discards } from '../dead-letters/discards.js'
import { DEAD_LETTER_COLLECTIONS } from '../definition/dead-letter-collections.js'
import { type Projection, REMOVAL_EVENTS } from '../definition/projection.js'
import { type EventObserver, GenerationWriter } from '../fold/generation-writer.js'
import type { DecodedRecord, LogReader } from '../fold/log-reader.js'

const PAGE = 2500

export interface LogReplayOptions {
  projection: Projection
  reader: LogReader
  /** An empty store of our own, which nobody reads and which is thrown away afterwards. */
  scratch: DocumentStore
  discards: Discards
  /** Events that count as unreadable, whatever they say: where the live model has parked them. */
  parkedAt?: ReadonlySet<number>
  /** Called with every event once it is folded. */
  onEvent?: EventObserver
  /** Called with every document that is written. */
  onWrite?: (write: Write) => void
  /** Called when everything up to a position has been written, and the fold does not go back behind it any more. */
  onCommit?: (position: Position) => void
  /** Called now and then with how many events have been folded since. */
  onProgress?: (events: number) => void
}

/**
 * Folds the log once more, beside everything live: up to a position, then on to a later one if asked. Disturbs nobody and
 * writes nothing but the scratch store.
 */
export class LogReplay {
  readonly #options: LogReplayOptions
  readonly #generation: GenerationStore
  readonly #writer: GenerationWriter

  static async open(options: LogReplayOptions): Promise<LogReplay> {
    const { projection, scratch, onEvent } = options
    const whole = { ...projection, collections: [...projection.collections, ...DEAD_LETTER_COLLECTIONS] }
    const created = await scratch.createGeneration(whole.name, whole.version, whole.collections)
    const generation = withCommitHooks(await scratch.openGeneration(created, whole.collections), options)
    const writer = await GenerationWriter.open(whole, generation, 1, true, { onEvent })
    return new LogReplay(options, generation, writer)
  }

  private constructor(options: LogReplayOptions, generation: GenerationStore, writer: GenerationWriter) {
    this.#options = options
    this.#generation = generation
    this.#writer = writer
  }

  get position(): Position {
    return this.#writer.position
  }

  /** The documents as of `position`. */
  get reads(): Reads {
    return this.#generation
  }

  /** Folds on, as long as `wanted` says yes to the next event. */
  async foldWhile(wanted: (event: DecodedRecord) => boolean): Promise<void> {
    for (;;) {
      const before = this.position
      const page = await this.#options.reader.readPage(before, PAGE)
      const end = page.findIndex((event) => !wanted(event))
      const events = end < 0 ? page : page.slice(0, end)
      await this.#writer.advance(this.#decide(events), { defer: true })
      this.#options.onProgress?.(this.position - before)
      // Less than asked for: some document was not fit to be written, and the event to blame has yet to be found.
      const whole = this.position === (events.at(-1)?.record.position ?? before)
      if (whole && (end >= 0 || page.length < PAGE) && (await this.#flush())) return
      await nextTurn()
    }
  }

  /** Folds up to and including a position. */
  foldTo(position: Position): Promise<void> {
    return this.foldWhile(({ record }) => record.position <= position)
  }

  /**
   * Lets go of whatever was removed later: an erased creator must not come back in a picture of the past. Ends the fold,
   * since the events between are left out.
   */
  async applyLaterRemovals(): Promise<void> {
    const removals: DecodedRecord[] = []
    for (let reached = this.position; ; ) {
      const page = await this.#options.reader.readPage(reached, PAGE)
      removals.push(...page.filter(({ decoded }) => decoded.outcome === 'event' && REMOVAL_EVENTS.has(decoded.event.name)))
      const last = page.at(-1)
      if (page.length < PAGE || last === undefined) break
      reached = last.record.position
      await nextTurn()
    }
    do await this.#writer.advance(removals)
    while (this.position < (removals.at(-1)?.record.position ?? 0))
  }

  /** Builds the indexes and the derived documents as of now, for reading as readers do. The fold may go on behind it. */
  async makeReadable(): Promise<void> {
    await this.#generation.buildIndexes()
    await this.#writer.computeDerived()
  }

  /** With all that it has written. */
  async close(): Promise<void> {
    await this.#generation.close()
    await this.#options.scratch.dropGeneration(this.#generation.generation)
  }

  /** `false` when a document was not fit to be written, which takes the fold back to its last commit. */
  async #flush(): Promise<boolean> {
    const reached = this.position
    await this.#writer.flush()
    return this.position === reached
  }

  #decide(events: readonly DecodedRecord[]): readonly DecodedRecord[] {
    const { discards, parkedAt } = this.#options
    const applied = discards.markDiscarded(events)
    if (parkedAt === undefined || parkedAt.size === 0) return applied
    return applied.map((event) => (parkedAt.has(event.record.position) ? asPoison(event) : event))
  }
}

const asPoison = (event: DecodedRecord): DecodedRecord => ({
  ...event,
  decoded: { outcome: 'poison', name: null, reason: 'parked in the live model' },
})

/** The same generation, with somebody told of what is written. */
function withCommitHooks(generation: GenerationStore, { onWrite, onCommit }: LogReplayOptions): GenerationStore {
  if (onWrite === undefined && onCommit === undefined) return generation
  return {
    generation: generation.generation,
    get: (collection, ids) => generation.get(collection, ids),
    range: (collection, query) => generation.range(collection, query),
    ids: (collection, query) => generation.ids(collection, query),
    count: (collection, query, atMost) => generation.count(collection, query, atMost),
    checkpoint: () => generation.checkpoint(),
    fence: (epoch) => generation.fence(epoch),
    buildIndexes: (around) => generation.buildIndexes(around),
    close: () => generation.close(),
    async commit(commit) {
      await generation.commit(commit)
      if (onWrite !== undefined) commit.writes.forEach(onWrite)
      onCommit?.(commit.to.position)
    },
  }
}
