import { setImmediate as nextTurn } from 'node:timers/promises'
import { isEventName, type Position, publisherIn, REMOVAL_EVENTS, START } from '../../events/index.js'
import type { DocumentStore, GenerationStore, Reads } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Discards } from '../dead-letters/discards.js'
import { withDeadLetters } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { foldPages } from '../fold/fold-pages.js'
import { type EventObserver, GenerationWriter, type WriterHooks } from '../fold/generation-writer.js'
import type { LogFollower } from '../fold/log-follower.js'
import type { DecodedRecord, Page } from '../fold/log-page.js'
import { LogReader } from '../fold/log-reader.js'
import type { RelatedEvents } from './related-events.js'

const PAGE = 2500

export interface LogReplayOptions {
  projection: Projection
  log: EventLog
  /** With the live model. Only its discards are read here. */
  store: DocumentStore
  /** An empty store that is thrown away afterwards. */
  scratch: DocumentStore
  /** Instead of all events of the log. */
  only?: RelatedEvents | undefined
  /** Positions that the live model has parked: treated as poison. */
  parkedAt?: ReadonlySet<number>
  onEvent?: EventObserver
  /** Called after every commit. The fold never goes back before its position. */
  onWrites?: WriterHooks['onWrites']
  /** Called with the number of events folded since the last call. */
  onProgress?: ((events: number) => void) | undefined
}

/** Folds the log into a scratch store, up to a position and later to another. Does not affect the live models. */
export class LogReplay {
  readonly discards: Discards
  readonly #options: LogReplayOptions
  readonly #log: LogFollower
  readonly #generation: GenerationStore
  readonly #writer: GenerationWriter

  static async open(options: LogReplayOptions): Promise<LogReplay> {
    const { projection, store, scratch, only, onEvent, onWrites } = options
    const discards = await Discards.load(store, projection.name)
    const whole = withDeadLetters(projection)
    const created = await scratch.createGeneration(whole.name, whole.version, whole.collections)
    const generation = await scratch.openGeneration(created, whole.collections)
    if (only !== undefined) {
      const from = await generation.fence(1)
      await generation.commit({ from, to: from, writes: only.tombstones })
    }
    const writer = await GenerationWriter.open(whole, generation, 1, true, { onEvent, onWrites })
    return new LogReplay(options, discards, generation, writer)
  }

  private constructor(options: LogReplayOptions, discards: Discards, generation: GenerationStore, writer: GenerationWriter) {
    this.discards = discards
    this.#options = options
    this.#log = new LogReader(options.log, options.projection.events).follow()
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

  /** Folds on while `wanted` accepts the next event. */
  async foldWhile(wanted: (event: DecodedRecord) => boolean): Promise<void> {
    let before = this.position
    for await (const { position, atEnd } of foldPages(this.#writer, { read: this.#readPage, wanted, decide: this.#decide, defer: true })) {
      this.#options.onProgress?.(position - before)
      before = position
      if (atEnd) return
    }
  }

  /** Folds up to and including a position. */
  foldTo(position: Position): Promise<void> {
    return this.foldWhile(({ record }) => record.position <= position)
  }

  /**
   * Applies removals that happened later: an erased creator must not reappear in a view of the past. Nor must what is
   * theirs by an event that came late. Ends the replay, because the events between are skipped. Envelopes say nothing of a
   * person, and would seem to be missing.
   */
  async applyLaterRemovals(): Promise<void> {
    const { projection } = this.#options
    if (projection.onArrival !== undefined) return
    const erased = projection.inOrder ? new Set<string>() : await this.#erasedCreators()
    // What makes something a person's: publications, and events that name them on aggregates of custom models.
    const claimants = ({ decoded }: DecodedRecord): readonly (string | null)[] =>
      decoded.outcome === 'event' && !isEventName(decoded.event.name) ? projection.events.peopleIn(decoded.event) : [publisherIn(decoded)]
    const isWanted = (event: DecodedRecord) =>
      isRemoval(event) || (!this.discards.has(event.record.position) && claimants(event).some((id) => id !== null && erased.has(id)))
    const read = (after: Position) => this.#nextPageOf(after, isWanted)
    for await (const { atEnd } of foldPages(this.#writer, { read, decide: (events) => events, defer: true })) if (atEnd) return
  }

  /** All creators that are removed anywhere in the log. */
  async #erasedCreators(): Promise<Set<string>> {
    const erased = new Set<string>()
    for (let after = START; ; ) {
      const { events, isLast } = await this.#nextPageOf(after, isRemoval)
      for (const { decoded } of events) if (decoded.outcome === 'event' && decoded.event.kind === 'creator') erased.add(decoded.event.key)
      const last = events.at(-1)
      if (isLast || last === undefined) return erased
      after = last.record.position
    }
  }

  /** Skips pages without such an event. An empty page that is not the last would be read again and again. */
  async #nextPageOf(after: Position, isWanted: (event: DecodedRecord) => boolean): Promise<Page> {
    for (let from = after; ; ) {
      const { events, isLast } = await this.#readPage(from)
      const wanted = events.filter(isWanted)
      const last = events.at(-1)
      if (wanted.length > 0 || isLast || last === undefined) return { events: wanted, isLast }
      from = last.record.position
      await nextTurn()
    }
  }

  /** Builds the indexes, so that queries work. The replay may continue afterwards. */
  async makeReadable(): Promise<void> {
    await this.#generation.buildIndexes()
  }

  /** Drops everything it has written. */
  async close(): Promise<void> {
    await this.#generation.close()
    await this.#options.scratch.dropGeneration(this.#generation.generation)
  }

  readonly #readPage = async (after: Position): Promise<Page> => {
    const { only } = this.#options
    if (only === undefined) return this.#log.page(after, PAGE)
    const first = only.events.findIndex(({ record }) => record.position > after)
    const events = first < 0 ? [] : only.events.slice(first, first + PAGE)
    return { events, isLast: first < 0 || first + PAGE >= only.events.length }
  }

  readonly #decide = (events: readonly DecodedRecord[]): readonly DecodedRecord[] => {
    const { parkedAt, projection } = this.#options
    const decided = this.discards.markDiscarded(events)
    if (parkedAt === undefined || parkedAt.size === 0) return decided
    // Where it is poison anyway, it says why.
    const isPoison = ({ decoded }: DecodedRecord) => decoded.outcome === 'poison' && projection.onArrival === undefined
    return decided.map((event) => (parkedAt.has(event.record.position) && !isPoison(event) ? asPoison(event) : event))
  }
}

const asPoison = (event: DecodedRecord): DecodedRecord => ({
  ...event,
  decoded: { outcome: 'poison', name: null, reason: 'parked in the live model', arrival: null, creatorId: publisherIn(event.decoded) },
})

const isRemoval = ({ decoded }: DecodedRecord): boolean => decoded.outcome === 'event' && REMOVAL_EVENTS.has(decoded.event.name)
