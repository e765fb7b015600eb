import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Position } from '../../events/index.js'
import { InvalidationLogWriter } from '../../invalidation/invalidation-log.js'
import { forgetRemembered } from '../../lib/remembered.js'
import {
  type Checkpoint,
  CommitTooLargeError,
  type FanOutProgress,
  type GenerationStore,
  type ProjectionHealth,
  type Write,
} from '../../ports/document-store.js'
import { loadParked, type Parked, PoisonError } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { EventApplier } from './event-applier.js'
import type { DecodedRecord } from './log-page.js'
import { CommitLimit, type LastFolded, PendingBatch } from './pending-batch.js'
import type { CommittedBatch } from './telemetry.js'
import { checkDocument, UnitOfWork } from './unit-of-work.js'

/** Commit at the latest after this much. Bounds memory, and the work a crash repeats. */
const MAX_PENDING_CHANGES = 25_000
const MAX_PENDING_EVENTS = 50_000
/** Characters of the events, of which large ones have as many as hundreds of usual ones. */
const MAX_PENDING_LENGTH = 16_000_000
/** A throttled load must not lose minutes to a crash. */
const MAX_PENDING_MS = 5000

/** Yield to the event loop this often while a commit is in flight: its replies need this thread. */
const EVENTS_PER_TURN = 250

/** Called with every folded event and the documents as it left them. */
export type EventObserver = (event: DecodedRecord, docs: Pick<UnitOfWork, 'get' | 'isLoaded'>) => void

export interface WriterHooks {
  onEvent?: EventObserver | undefined
  onCommit?: ((batch: CommittedBatch) => void) | undefined
  /** Called with every document of a fan-out. */
  onFanOut?: ((progress: NonNullable<ProjectionHealth['fanOut']>) => void) | undefined
  /** What a commit wrote, and the position it leads to. */
  onWrites?: ((writes: readonly Write[], position: Position) => void) | undefined
}

/**
 * The one fenced writer of a generation: folds batches of events and writes each changed document once, in one commit
 * with the checkpoint. After any error, throw it away and open a new one: only the store knows what is committed.
 */
export class GenerationWriter {
  readonly #projection: Projection
  readonly #generation: GenerationStore
  #unit: UnitOfWork
  #applier: EventApplier
  #checkpoint: Checkpoint
  #lastFolded: LastFolded
  readonly #pending: PendingBatch
  readonly #commitLimit = new CommitLimit()
  /** Events before this position are checked one by one, to find the poison one. */
  #strictUntil = 0
  /** A loading generation has no readers, so it needs no invalidation log. */
  readonly #loading: boolean
  readonly #invalidationLog = new InvalidationLogWriter()
  readonly #hooks: WriterHooks
  /** A commit that runs while further events are folded. {@link awaitCommit} reports its result. */
  #commitInFlight: { from: Checkpoint; ended: Promise<void>; isOver: boolean } | null = null

  static async open(
    projection: Projection,
    generation: GenerationStore,
    epoch: number,
    loading: boolean,
    hooks: WriterHooks = {},
  ): Promise<GenerationWriter> {
    const checkpoint = await generation.fence(epoch)
    return new GenerationWriter(projection, generation, checkpoint, await loadParked(generation), loading, hooks)
  }

  private constructor(
    projection: Projection,
    generation: GenerationStore,
    checkpoint: Checkpoint,
    parked: Parked,
    loading: boolean,
    hooks: WriterHooks,
  ) {
    this.#projection = projection
    this.#generation = generation
    this.#unit = new UnitOfWork(generation)
    this.#applier = new EventApplier(projection, this.#unit, parked, hooks.onFanOut)
    this.#checkpoint = checkpoint
    this.#lastFolded = checkpoint
    this.#pending = new PendingBatch(checkpoint.floor)
    this.#loading = loading
    this.#hooks = hooks
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  get parkedCount(): number {
    return this.#applier.parkedCount
  }

  /** The last event folded, committed or not. */
  get position(): Position {
    return this.#lastFolded.position
  }

  /**
   * Folds events and commits. May stop before the last event: see `position`. With `defer` it commits only when the
   * batch is full, and folds on while that commit runs; if the commit fails, a later call throws.
   */
  advance(events: readonly DecodedRecord[], { defer = false } = {}): Promise<void> {
    return this.#rewindIfCommitTooLarge(async () => {
      // As early as possible: until then everything in flight is kept in memory.
      if (this.#commitInFlight?.isOver) await this.#awaitCommit()
      const pending = this.#isPending
      for (let committing = !defer; ; committing = true) {
        try {
          await this.#foldAll(events)
          if (committing) await this.#flush()
          else if (this.#isFull) await this.#startCommit()
          return
        } catch (error) {
          if (!(error instanceof PoisonError)) throw error
          await this.#rewindToFindPoison(error)
          // Events from earlier calls were pending too: the caller has to read them again.
          if (pending) return
        }
      }
    })
  }

  /** Commits what was deferred, or goes back when some of it cannot be written: see `position`. */
  flush(): Promise<void> {
    return this.#rewindIfCommitTooLarge(async () => {
      try {
        await this.#flush()
      } catch (error) {
        if (!(error instanceof PoisonError)) throw error
        await this.#rewindToFindPoison(error)
      }
    })
  }

  /** Waits for the commit in flight, if there is one. */
  awaitCommit(): Promise<void> {
    return this.#rewindIfCommitTooLarge(() => this.#awaitCommit())
  }

  get #isPending(): boolean {
    return this.#lastFolded.position > this.#checkpoint.position
  }

  get #isFull(): boolean {
    const preferred = Math.min(MAX_PENDING_CHANGES, this.#generation.preferredCommitSize ?? MAX_PENDING_CHANGES)
    if (this.#isAtCommitLimit || this.#unit.changeCount >= preferred) return true
    if (this.#lastFolded.position - this.#checkpoint.position >= MAX_PENDING_EVENTS || this.#pending.length >= MAX_PENDING_LENGTH)
      return true
    return this.#isPending && this.#pending.ageMs >= MAX_PENDING_MS
  }

  get #isAtCommitLimit(): boolean {
    return this.#commitLimit.isReached(this.#unit)
  }

  async #foldAll(all: readonly DecodedRecord[]): Promise<void> {
    const events = all.filter(({ record }) => record.position > this.#lastFolded.position)
    const began = performance.now()
    this.#pending.foldStarted(began)
    await this.#applier.prefetch(events)
    let folded = 0
    for (const event of events) {
      if (this.#commitInFlight !== null && ++folded % EVENTS_PER_TURN === 0) await nextTurn()
      const resume = this.#isPending ? null : this.#checkpoint.slice
      const from = performance.now()
      const applied = this.#applier.apply(event, resume, this.#commitSlice)
      const ms = performance.now() - from
      const outcome = typeof applied === 'string' ? applied : await applied
      if (this.#applier.hasRemoved) forgetRemembered()
      this.#pending.count(event, outcome, this.#applier.hasRemoved, ms)
      this.#lastFolded = { position: event.record.position, eventId: event.record.id }
      this.#hooks.onEvent?.(event, this.#unit)
      if (this.#lastFolded.position >= this.#strictUntil) this.#applier.checksEachEvent = false
      if (this.#isAtCommitLimit) break
    }
    this.#pending.foldEnded(performance.now() - began)
  }

  /** Some document is invalid. Goes back to the last commit, to check the documents of each event separately. */
  async #rewindToFindPoison(poison: PoisonError): Promise<void> {
    await this.#awaitCommit()
    const until = this.#lastFolded.position + 1
    // All of them were checked separately already: going back again would find nothing.
    if (until <= this.#strictUntil) throw poison
    this.#strictUntil = until
    this.#unit.discardChanges()
    await this.#restartFrom(this.#checkpoint)
  }

  /** Goes back when the store refuses a commit as too large, so that the events are committed in smaller steps. */
  async #rewindIfCommitTooLarge(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CommitTooLargeError)) throw error
      this.#commitLimit.halve(error)
      // This writer's own checkpoint: reading it from the store would bypass the fence.
      const from = this.#commitInFlight?.from ?? this.#checkpoint
      this.#commitInFlight = null
      this.#checkpoint = from
      // The documents in memory are those after the commit, so load them again.
      this.#unit = new UnitOfWork(this.#generation)
      await this.#restartFrom(from)
    }
  }

  async #restartFrom(checkpoint: Checkpoint): Promise<void> {
    this.#pending.rewound(checkpoint)
    this.#lastFolded = checkpoint
    this.#applier = new EventApplier(this.#projection, this.#unit, await loadParked(this.#generation), this.#hooks.onFanOut)
    this.#applier.checksEachEvent = checkpoint.position < this.#strictUntil
  }

  async #flush(): Promise<void> {
    if (this.#isPending) await this.#commit(this.#lastFolded, null)
    await this.#awaitCommit()
  }

  async #awaitCommit(): Promise<void> {
    if (this.#commitInFlight === null) return
    await this.#commitInFlight.ended
    this.#commitInFlight = null
    this.#unit.commitFinished()
    this.#commitLimit.raise()
  }

  /** Commits part of a fan-out: the event itself is not folded yet. */
  readonly #commitSlice = async (slice: FanOutProgress): Promise<void> => {
    await this.#commit(this.#lastFolded, slice)
    // Lets the lease timer run: with SQLite, a fan-out would block this thread.
    await nextTurn()
  }

  async #commit(done: LastFolded, slice: FanOutProgress | null): Promise<void> {
    const { to, commit } = await this.#prepareCommit(done, slice)
    await commit()
    this.#checkpoint = to
    this.#pending.committed()
    this.#unit.committed()
    this.#commitLimit.raise()
  }

  /** Starts to commit what has been folded, once the previous commit has ended. */
  async #startCommit(): Promise<void> {
    const { to, commit } = await this.#prepareCommit(this.#lastFolded, null)
    const inFlight = { from: this.#checkpoint, ended: commit(), isOver: false }
    this.#commitInFlight = inFlight
    this.#checkpoint = to
    this.#pending.committed()
    this.#unit.commitStarted()
    const over = () => {
      inFlight.isOver = true
    }
    // The next call throws the failure; this only keeps it from being an unhandled rejection.
    inFlight.ended.then(over, over)
  }

  /** Checks what has been folded and makes a commit of it. */
  async #prepareCommit(done: LastFolded, slice: FanOutProgress | null): Promise<{ to: Checkpoint; commit(): Promise<void> }> {
    await this.#awaitCommit()
    const writes = this.#unit.writes()
    for (const { collection, after } of writes) if (after !== undefined) checkDocument(collection, after)
    const from = this.#checkpoint
    const to = this.#pending.checkpointAfter(from, done, slice)
    const invalidationLog = this.#loading ? undefined : this.#invalidationLog.append(from, to, writes)
    const commit = { from, to, writes, ...(invalidationLog === undefined ? {} : { invalidationLog }) }
    const batch = this.#pending.summary(from, to)
    return {
      to,
      commit: async () => {
        const began = performance.now()
        await this.#generation.commit(commit)
        this.#hooks.onCommit?.({ ...batch, commitMs: performance.now() - began })
        this.#hooks.onWrites?.(writes, to.position)
      },
    }
  }
}
