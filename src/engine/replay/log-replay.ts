import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Position } from '../../events/index.js'
import type { DocumentStore, GenerationStore, Reads, Write } from '../../ports/document-store.js'
import type { Decisions } from '../dead-letters/discards.js'
import { DEAD_LETTERS } from '../definition/dead-letter-collections.js'
import { type Projection, REMOVALS } from '../definition/projection.js'
import { type Observer, Session } from '../fold/generation-writer.js'
import type { Source, SourceEvent } from '../fold/log-reader.js'

const PAGE = 2500

export interface RefoldOptions {
  projection: Projection
  source: Source
  /** An empty store of our own, which nobody reads and which is thrown away afterwards. */
  scratch: DocumentStore
  decisions: Decisions
  /** Events that count as unreadable, whatever they say: where the live model has parked them. */
  parkedAt?: ReadonlySet<number>
  /** Called with every event once it is folded. */
  observe?: Observer
  /** Called with every document that is written. */
  written?: (write: Write) => void
  /** Called when everything up to a position has been written, and the fold does not go back behind it any more. */
  committed?: (position: Position) => void
  /** Called now and then with how many events have been folded since. */
  advanced?: (events: number) => void
}

/**
 * Folds the log once more, beside everything live: up to a position, then on to a later one if asked. Disturbs nobody and
 * writes nothing but the scratch store.
 */
export class Refold {
  readonly #options: RefoldOptions
  readonly #generation: GenerationStore
  readonly #session: Session

  static async begin(options: RefoldOptions): Promise<Refold> {
    const { projection, scratch, observe } = options
    const whole = { ...projection, collections: [...projection.collections, ...DEAD_LETTERS] }
    const created = await scratch.createGeneration(whole.name, whole.version, whole.collections)
    const generation = overheard(await scratch.openGeneration(created, whole.collections), options)
    const session = await Session.open(whole, generation, 1, true, { observe })
    return new Refold(options, generation, session)
  }

  private constructor(options: RefoldOptions, generation: GenerationStore, session: Session) {
    this.#options = options
    this.#generation = generation
    this.#session = session
  }

  get position(): Position {
    return this.#session.position
  }

  /** The documents as of `position`. */
  get reads(): Reads {
    return this.#generation
  }

  /** Folds on, as long as `wanted` says yes to the next event. */
  async while(wanted: (event: SourceEvent) => boolean): Promise<void> {
    for (;;) {
      const before = this.position
      const page = await this.#options.source.page(before, PAGE)
      const end = page.findIndex((event) => !wanted(event))
      const events = end < 0 ? page : page.slice(0, end)
      await this.#session.advance(this.#asDecided(events), { defer: true })
      this.#options.advanced?.(this.position - before)
      // Less than asked for: some document was not fit to be written, and the event to blame has yet to be found.
      const whole = this.position === (events.at(-1)?.record.position ?? before)
      if (whole && (end >= 0 || page.length < PAGE) && (await this.#flushed())) return
      await nextTurn()
    }
  }

  /** Folds up to and including a position. */
  to(position: Position): Promise<void> {
    return this.while(({ record }) => record.position <= position)
  }

  /**
   * Lets go of whatever was removed later: an erased creator must not come back in a picture of the past. Ends the fold,
   * since the events between are left out.
   */
  async applyLaterRemovals(): Promise<void> {
    const removals: SourceEvent[] = []
    for (let reached = this.position; ; ) {
      const page = await this.#options.source.page(reached, PAGE)
      removals.push(...page.filter(({ decoded }) => decoded.outcome === 'event' && REMOVALS.has(decoded.event.name)))
      const last = page.at(-1)
      if (page.length < PAGE || last === undefined) break
      reached = last.record.position
      await nextTurn()
    }
    do await this.#session.advance(removals)
    while (this.position < (removals.at(-1)?.record.position ?? 0))
  }

  /** Builds the indexes and the derived documents as of now, for reading as readers do. The fold may go on behind it. */
  async finish(): Promise<void> {
    await this.#generation.buildIndexes()
    await this.#session.derive()
  }

  /** With all that it has written. */
  async close(): Promise<void> {
    await this.#generation.close()
    await this.#options.scratch.dropGeneration(this.#generation.generation)
  }

  /** `false` when a document was not fit to be written, which takes the fold back to its last commit. */
  async #flushed(): Promise<boolean> {
    const reached = this.position
    await this.#session.flush()
    return this.position === reached
  }

  #asDecided(events: readonly SourceEvent[]): readonly SourceEvent[] {
    const { decisions, parkedAt } = this.#options
    const applied = decisions.applied(events)
    if (parkedAt === undefined || parkedAt.size === 0) return applied
    return applied.map((event) => (parkedAt.has(event.record.position) ? unreadable(event) : event))
  }
}

const unreadable = (event: SourceEvent): SourceEvent => ({
  ...event,
  decoded: { outcome: 'poison', name: null, reason: 'parked in the live model' },
})

/** The same generation, with somebody told of what is written. */
function overheard(generation: GenerationStore, { written, committed }: RefoldOptions): GenerationStore {
  if (written === undefined && committed === undefined) return generation
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
      if (written !== undefined) commit.writes.forEach(written)
      committed?.(commit.to.position)
    },
  }
}
