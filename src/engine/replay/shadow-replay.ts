import type { DocumentStore, ModelView, Reads } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Decisions } from '../dead-letters/discards.js'
import { letters } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { Source } from '../fold/log-reader.js'
import { documentsOf } from './documents.js'
import { lookBetweenEvents, PATIENCE_MS } from './live-view.js'
import { Refold } from './log-replay.js'

export interface ShadowOptions {
  projection: Projection
  log: EventLog
  store: DocumentStore
  scratch: DocumentStore
  /** How long to wait for the end of a fan-out that does not get on. */
  patienceMs?: number
  /** Called now and then with how many events have been folded since. */
  folding?: (events: number) => void
}

/** Since the replay began, somebody has decided or replayed something that it has long folded the other way. */
export class OutpacedError extends Error {
  override name = 'OutpacedError'
}

/** A replay of the log that keeps to a live model: it comes as far, and leaves out what is parked or discarded there. */
export class Shadow {
  readonly #options: ShadowOptions
  readonly #refold: Refold
  readonly #decisions: Decisions
  /** Whatever was parked in the model when the replay came by. */
  readonly #parkedAt: Set<number>
  #parked: number

  static async begin(options: ShadowOptions): Promise<Shadow> {
    const { projection, log, store, scratch, patienceMs = PATIENCE_MS, folding } = options
    const { parkedAt, position } = await lookBetweenEvents(store, projection, patienceMs, async (view) => ({
      parkedAt: await letterPositions(view),
      position: view.checkpoint.position,
    }))
    // After the look: a discard is decided first, and the letters go then.
    const decisions = await Decisions.of(store, projection.name)
    const refold = await Refold.begin({
      ...{ projection, source: new Source(log), scratch, decisions, parkedAt },
      ...(folding === undefined ? {} : { advanced: folding }),
    })
    try {
      await refold.to(position)
      await refold.finish()
      return new Shadow(options, refold, decisions, parkedAt)
    } catch (error) {
      await refold.close()
      throw error
    }
  }

  private constructor(options: ShadowOptions, refold: Refold, decisions: Decisions, parkedAt: Set<number>) {
    this.#options = options
    this.#refold = refold
    this.#decisions = decisions
    this.#parkedAt = parkedAt
    this.#parked = parkedAt.size
  }

  /** The documents as the log says they are. */
  get reads(): Reads {
    return this.#refold.reads
  }

  /** Events that are parked in the model. */
  get parked(): number {
    return this.#parked
  }

  get discarded(): number {
    return this.#decisions.count
  }

  /** Goes on to about where the model is now. */
  follow(): Promise<void> {
    return this.together(async () => {})
  }

  /** Looks at the model with both sides at exactly the same position. Throws {@link OutpacedError} when they can no longer be compared. */
  together<T>(work: (view: ModelView) => Promise<T>): Promise<T> {
    const { store, projection, patienceMs = PATIENCE_MS } = this.#options
    return lookBetweenEvents(store, projection, patienceMs, async (view) => {
      await this.#comeTo(view)
      return work(view)
    })
  }

  async #comeTo(view: ModelView): Promise<void> {
    const { store, projection } = this.#options
    const reached = this.#refold.position
    const parked = await letterPositions(view)
    const { position } = view.checkpoint
    if (position < reached) throw new OutpacedError(`the model has gone back to position ${position}`)
    for (const each of parked) {
      if (each <= reached && !this.#parkedAt.has(each)) throw new OutpacedError(`the event at position ${each} has been parked`)
      this.#parkedAt.add(each)
    }
    await this.#refold.to(position)
    await this.#refold.finish()
    // A letter that a removal has taken away is gone from both sides.
    for (const each of await letterPositions(this.reads))
      if (this.#parkedAt.has(each) && !parked.has(each)) throw new OutpacedError(`the event at position ${each} is no longer parked`)
    // None is ever taken back, so that another number means other decisions.
    if ((await Decisions.of(store, projection.name)).count !== this.discarded) throw new OutpacedError('an event has been discarded')
    this.#parked = parked.size
  }

  close(): Promise<void> {
    return this.#refold.close()
  }
}

async function letterPositions(reads: Reads): Promise<Set<number>> {
  const positions = new Set<number>()
  for await (const { position } of documentsOf(reads, letters)) positions.add(position)
  return positions
}
