import type { DocumentStore, ModelView, Reads } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Discards } from '../dead-letters/discards.js'
import { deadLetters } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { scanDocuments } from '../definition/scan-documents.js'
import { LogReader } from '../fold/log-reader.js'
import { FAN_OUT_TIMEOUT_MS, withViewBetweenEvents } from './live-view.js'
import { LogReplay } from './log-replay.js'

export interface ShadowReplayOptions {
  projection: Projection
  log: EventLog
  store: DocumentStore
  scratch: DocumentStore
  /** How long to wait for a fan-out that makes no progress. */
  fanOutTimeoutMs?: number
  /** Called with the number of events folded since the last call. */
  onFolded?: (events: number) => void
}

/** An event that the replay has folded was discarded, parked or replayed in the live model since. */
export class ReplayOutdatedError extends Error {
  override name = 'ReplayOutdatedError'
}

/** A replay that follows a live model: to the same position, without what is parked or discarded there. */
export class ShadowReplay {
  readonly #options: ShadowReplayOptions
  readonly #replay: LogReplay
  readonly #discards: Discards
  /** Positions that were parked in the model when they were replayed. */
  readonly #parkedAt: Set<number>
  #parked: number

  static async open(options: ShadowReplayOptions): Promise<ShadowReplay> {
    const { projection, log, store, scratch, fanOutTimeoutMs = FAN_OUT_TIMEOUT_MS, onFolded } = options
    const { parkedAt, position } = await withViewBetweenEvents(store, projection, fanOutTimeoutMs, async (view) => ({
      parkedAt: await deadLetterPositions(view),
      position: view.checkpoint.position,
    }))
    // After the dead letters: a discard is recorded before its dead letters are deleted.
    const discards = await Discards.load(store, projection.name)
    const replay = await LogReplay.open({
      ...{ projection, reader: new LogReader(log), scratch, discards, parkedAt },
      ...(onFolded === undefined ? {} : { onProgress: onFolded }),
    })
    try {
      await replay.foldTo(position)
      await replay.makeReadable()
      return new ShadowReplay(options, replay, discards, parkedAt)
    } catch (error) {
      await replay.close()
      throw error
    }
  }

  private constructor(options: ShadowReplayOptions, replay: LogReplay, discards: Discards, parkedAt: Set<number>) {
    this.#options = options
    this.#replay = replay
    this.#discards = discards
    this.#parkedAt = parkedAt
    this.#parked = parkedAt.size
  }

  /** The documents as the log says they are. */
  get reads(): Reads {
    return this.#replay.reads
  }

  /** How many events are parked in the model. */
  get parked(): number {
    return this.#parked
  }

  get discarded(): number {
    return this.#discards.count
  }

  /** Continues to about the model's position. */
  catchUp(): Promise<void> {
    return this.atSamePosition(async () => {})
  }

  /** Reads both sides at the same position. Throws {@link ReplayOutdatedError} when they can no longer be compared. */
  atSamePosition<T>(work: (view: ModelView) => Promise<T>): Promise<T> {
    const { store, projection, fanOutTimeoutMs = FAN_OUT_TIMEOUT_MS } = this.#options
    return withViewBetweenEvents(store, projection, fanOutTimeoutMs, async (view) => {
      await this.#alignWith(view)
      return work(view)
    })
  }

  async #alignWith(view: ModelView): Promise<void> {
    const { store, projection } = this.#options
    const reached = this.#replay.position
    const parked = await deadLetterPositions(view)
    const { position } = view.checkpoint
    if (position < reached) throw new ReplayOutdatedError(`the model has gone back to position ${position}`)
    for (const each of parked) {
      if (each <= reached && !this.#parkedAt.has(each)) throw new ReplayOutdatedError(`the event at position ${each} has been parked`)
      this.#parkedAt.add(each)
    }
    await this.#replay.foldTo(position)
    await this.#replay.makeReadable()
    // A removal deletes dead letters on both sides.
    for (const each of await deadLetterPositions(this.reads))
      if (this.#parkedAt.has(each) && !parked.has(each)) throw new ReplayOutdatedError(`the event at position ${each} is no longer parked`)
    // Discards are permanent, so comparing their number is enough.
    if ((await Discards.load(store, projection.name)).count !== this.discarded) throw new ReplayOutdatedError('an event has been discarded')
    this.#parked = parked.size
  }

  close(): Promise<void> {
    return this.#replay.close()
  }
}

async function deadLetterPositions(reads: Reads): Promise<Set<number>> {
  const positions = new Set<number>()
  for await (const { position } of scanDocuments(reads, deadLetters)) positions.add(position)
  return positions
}
