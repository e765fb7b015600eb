import { setTimeout as delay } from 'node:timers/promises'
import type { Position } from '../../events/index.js'
import type { DocumentStore, ModelView, Reads } from '../../ports/document-store.js'
import { Discards } from '../dead-letters/discards.js'
import { deadLetters } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { scanDocuments } from '../definition/scan-documents.js'
import { LogReplay, type LogReplayOptions } from './log-replay.js'

export interface ShadowReplayOptions extends Pick<LogReplayOptions, 'projection' | 'log' | 'store' | 'scratch'> {
  /** How long to wait for a fan-out that makes no progress. */
  fanOutTimeoutMs?: number
  /** Called with the number of events folded since the last call. */
  onFolded?: (events: number) => void
}

/** A replay that follows a live model: to the same position, without what is parked or discarded there. */
export class ShadowReplay {
  readonly #options: ShadowReplayOptions
  readonly #replay: LogReplay
  /** Positions that were parked in the model when they were replayed. */
  readonly #parkedAt: Set<number>
  /** How many events are parked in the model. */
  parked: number

  static async open(options: ShadowReplayOptions): Promise<ShadowReplay> {
    const { parkedAt, position } = await withViewBetweenEvents(options, async (view) => ({
      parkedAt: await deadLetterPositions(view),
      position: view.checkpoint.position,
    }))
    // Loads the discards, after the dead letters: a discard is recorded before its dead letters are deleted.
    const replay = await LogReplay.open({ ...options, parkedAt, onProgress: options.onFolded })
    try {
      await replay.foldTo(position)
      await replay.makeReadable()
      return new ShadowReplay(options, replay, parkedAt)
    } catch (error) {
      await replay.close()
      throw error
    }
  }

  private constructor(options: ShadowReplayOptions, replay: LogReplay, parkedAt: Set<number>) {
    this.#options = options
    this.#replay = replay
    this.#parkedAt = parkedAt
    this.parked = parkedAt.size
  }

  /** The documents as the log says they are. */
  get reads(): Reads {
    return this.#replay.reads
  }

  get discarded(): number {
    return this.#replay.discards.count
  }

  /** Continues to about the model's position. */
  catchUp(): Promise<void> {
    return this.atSamePosition(async () => {})
  }

  /** Reads both sides at the same position. Throws {@link ModelBusyError} when they can no longer be compared. */
  atSamePosition<T>(work: (view: ModelView) => Promise<T>): Promise<T> {
    return withViewBetweenEvents(this.#options, async (view) => {
      await this.#alignWith(view)
      return work(view)
    })
  }

  async #alignWith(view: ModelView): Promise<void> {
    const { store, projection } = this.#options
    const reached = this.#replay.position
    const parked = await deadLetterPositions(view)
    const { position } = view.checkpoint
    if (position < reached) throw outdated(`the model has gone back to position ${position}`)
    for (const each of parked) {
      if (each <= reached && !this.#parkedAt.has(each)) throw outdated(`the event at position ${each} has been parked`)
      this.#parkedAt.add(each)
    }
    await this.#replay.foldTo(position)
    await this.#replay.makeReadable()
    // A removal deletes dead letters on both sides.
    for (const each of await deadLetterPositions(this.reads))
      if (this.#parkedAt.has(each) && !parked.has(each)) throw outdated(`the event at position ${each} is no longer parked`)
    // Discards are permanent, so comparing their number is enough.
    if ((await Discards.load(store, projection.name)).count !== this.discarded) throw outdated('an event has been discarded')
    this.parked = parked.size
  }

  close(): Promise<void> {
    return this.#replay.close()
  }
}

/** An event that the replay has folded was discarded, parked or replayed in the live model since. */
const outdated = (change: string): ModelBusyError => new ModelBusyError(`the model has changed meanwhile: ${change}. Try again`)

async function deadLetterPositions(reads: Reads): Promise<Set<number>> {
  const positions = new Set<number>()
  for await (const { position } of scanDocuments(reads, deadLetters)) positions.add(position)
  return positions
}

/** Another version's documents cannot be compared. */
export class VersionMismatchError extends Error {
  override name = 'VersionMismatchError'
}

/** The model changes too much to be compared. */
export class ModelBusyError extends Error {
  override name = 'ModelBusyError'
}

/** How often to check whether a fan-out has ended. */
const POLL_MS = 100
/** How long to wait for one that makes no progress, for example without a leader. */
const FAN_OUT_TIMEOUT_MS = 120_000
/** One that makes progress is given this many times as long. */
const MAX_TIMEOUTS = 10

/** Reads the live model from one snapshot. */
export async function withLiveView<T>(
  store: DocumentStore,
  { name, version }: Projection,
  work: (view: ModelView) => Promise<T>,
): Promise<T> {
  const snapshot = await store.snapshot([name])
  try {
    const view = snapshot.model(name)
    if (view.generation.version !== version) {
      throw new VersionMismatchError(
        `${name} is served by version ${view.generation.version}, and this is version ${version}: rebuild it first`,
      )
    }
    return await work(view)
  } finally {
    snapshot.release()
  }
}

/** Waits until no fan-out is under way: in between, some documents are ahead of the checkpoint's position. */
async function withViewBetweenEvents<T>(
  { store, projection, fanOutTimeoutMs = FAN_OUT_TIMEOUT_MS }: ShadowReplayOptions,
  work: (view: ModelView) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  let last = { progress: '', since: began }
  for (;;) {
    const looked = await withLiveView<{ outcome: T } | { position: Position; progress: string }>(store, projection, async (view) => {
      const { position, slice } = view.checkpoint
      if (slice !== null) return { position, progress: JSON.stringify([position, slice]) }
      await failIfHalfApplied(projection, view)
      return { outcome: await work(view) }
    })
    if ('outcome' in looked) return looked.outcome
    const now = performance.now()
    if (looked.progress !== last.progress) last = { progress: looked.progress, since: now }
    if (now - last.since > fanOutTimeoutMs || now - began > MAX_TIMEOUTS * fanOutTimeoutMs)
      throw new ModelBusyError(
        `a fan-out of ${projection.name} is under way: the event after position ${looked.position} has reached only some of its documents. Try again when it has ended, for which a projector has to run`,
      )
    await delay(POLL_MS)
  }
}

/** A fan-out that was parked after its first slice stays half done until it is replayed. */
async function failIfHalfApplied({ name }: Projection, view: ModelView): Promise<void> {
  for await (const { aggregate, position, slice } of scanDocuments(view, deadLetters))
    if (slice !== undefined)
      throw new ModelBusyError(
        `the event at position ${position} has stopped half-way through the documents of ${aggregate}: "vitrine dead-letters replay ${name} ${aggregate}" continues it, "vitrine rebuild ${name}" does without`,
      )
}
