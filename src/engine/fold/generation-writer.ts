import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Position } from '../../events/index.js'
import { InvalidationLogWriter } from '../../invalidation/invalidation-log.js'
import {
  type Checkpoint,
  type Commit,
  CommitTooLargeError,
  type FanOutProgress,
  type GenerationStore,
  type Write,
} from '../../ports/document-store.js'
import { checkDocument } from '../definition/check-document.js'
import { loadParked, PoisonError } from '../definition/dead-letter-collections.js'
import { type Docs, type Projection, REMOVAL_EVENTS } from '../definition/projection.js'
import { DerivedDocuments } from './derived-documents.js'
import { EventApplier, type Outcome } from './event-applier.js'
import type { DecodedRecord } from './log-reader.js'
import type { CommittedBatch, NewlyParked } from './telemetry.js'
import { UnitOfWork } from './unit-of-work.js'

/** How much may be folded before it has to be committed. Bounds memory, and what a crash while loading costs. */
const MAX_PENDING_CHANGES = 25_000
const MAX_PENDING_EVENTS = 50_000
/** A load that is told to go slowly must not lose minutes to a crash. */
const MAX_PENDING_MS = 5000

/** How many events are folded before a commit that is under way gets a turn: its answers wait for this thread. */
const EVENTS_PER_TURN = 250

/** Sees every event once it is folded, with the documents as it left them. */
export type EventObserver = (event: DecodedRecord, docs: Pick<Docs, 'get'>) => void

/** The last event folded. */
type LastFolded = Pick<Checkpoint, 'position' | 'eventId'>

export interface WriterHooks {
  onEvent?: EventObserver | undefined
  onCommit?: ((batch: CommittedBatch) => void) | undefined
  /** What a commit wrote, and the position it leads to. */
  onWrites?: ((writes: readonly Write[], position: Position) => void) | undefined
}

/**
 * One leader's work on one generation: takes batches of events, writes each changed document once, with the
 * checkpoint, in one commit. After any error it must be thrown away and opened anew: the store, not the memory of this
 * object, says how far things have come.
 */
export class GenerationWriter {
  readonly #projection: Projection
  readonly #generation: GenerationStore
  #unit: UnitOfWork
  #applier: EventApplier
  #checkpoint: Checkpoint
  #tallies: Partial<Record<Outcome, number>> = {}
  #invalidBefore: Position
  #lastFolded: LastFolded
  #strictUntil = 0
  /** While a generation is loading nobody reads it: derived documents wait for the end, and there is no trail. */
  readonly #loading: boolean
  readonly #derivedDocuments: DerivedDocuments
  readonly #invalidationLog = new InvalidationLogWriter()
  readonly #hooks: WriterHooks
  #parked: NewlyParked[] = []
  #startedAt: number | null = null
  /** By a clock that nobody sets. */
  #pendingSince = 0
  #foldMs = 0
  /** A commit that events are folded beside. What comes of it is told by {@link awaitCommit}. */
  #commitInFlight: { from: Checkpoint; ended: Promise<void>; isOver: boolean } | null = null
  /** Changes to a commit, since the store has refused more of them as too large. */
  #commitLimit = Number.POSITIVE_INFINITY

  static async open(
    projection: Projection,
    generation: GenerationStore,
    epoch: number,
    loading: boolean,
    hooks: WriterHooks = {},
  ): Promise<GenerationWriter> {
    const checkpoint = await generation.fence(epoch)
    const unitOfWork = new UnitOfWork(generation)
    const applier = new EventApplier(projection, unitOfWork, await loadParked(generation))
    return new GenerationWriter(projection, generation, unitOfWork, applier, checkpoint, loading, hooks)
  }

  private constructor(
    projection: Projection,
    generation: GenerationStore,
    unitOfWork: UnitOfWork,
    applier: EventApplier,
    checkpoint: Checkpoint,
    loading: boolean,
    hooks: WriterHooks,
  ) {
    this.#hooks = hooks
    this.#projection = projection
    this.#generation = generation
    this.#unit = unitOfWork
    this.#applier = applier
    this.#checkpoint = checkpoint
    this.#lastFolded = checkpoint
    this.#invalidBefore = checkpoint.floor
    this.#loading = loading
    this.#derivedDocuments = new DerivedDocuments(projection, generation)
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  get parkedCount(): number {
    return this.#applier.parkedCount
  }

  /** How far the events are folded, committed or not. */
  get position(): Position {
    return this.#lastFolded.position
  }

  /**
   * Folds events and commits. `defer` leaves the commit for later as long as the changes fit into memory: while
   * loading, hot documents are then written once for very many events. It does not wait for such a commit either: a
   * database on another processor works on it while the next events are folded, and if it fails a later call does. May end
   * before the last event: see `position`.
   */
  advance(events: readonly DecodedRecord[], { defer = false } = {}): Promise<void> {
    return this.#rewindIfCommitTooLarge(async () => {
      // As soon as it can be told: until then all that it has written is kept in memory.
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
          // Events from before this call are pending too: the caller has to read them again.
          if (pending) return
        }
      }
    })
  }

  /** Commits what has been deferred, or takes it back when some of it cannot be written: see `position`. */
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

  /** What the store has no room for in one commit is taken back, to be folded again and committed in smaller ones. */
  async #rewindIfCommitTooLarge(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CommitTooLargeError)) throw error
      await this.#halveCommitLimit(error)
    }
  }

  async #flush(): Promise<void> {
    if (this.#isPending) await this.#commit(this.#lastFolded, null)
    await this.#awaitCommit()
  }

  /** Waits for the commit under way, if there is one. */
  awaitCommit(): Promise<void> {
    return this.#rewindIfCommitTooLarge(() => this.#awaitCommit())
  }

  async #awaitCommit(): Promise<void> {
    if (this.#commitInFlight === null) return
    await this.#commitInFlight.ended
    this.#commitInFlight = null
    this.#unit.commitFinished()
    this.#raiseCommitLimit()
  }

  /** What was too large once need not be for ever: a live session may last for months. */
  #raiseCommitLimit(): void {
    this.#commitLimit += Math.ceil(this.#commitLimit / 16)
  }

  /** Ends the loading of a generation: the derived documents come into being. */
  async computeDerived(): Promise<void> {
    const { derived } = this.#projection
    if (derived === undefined) return
    await this.#generation.commit({
      from: this.#checkpoint,
      to: this.#checkpoint,
      writes: [],
      computeDerived: (reads) => derived.compute(reads),
    })
  }

  get #isPending(): boolean {
    return this.#lastFolded.position > this.#checkpoint.position
  }

  get #isFull(): boolean {
    const ample = Math.min(MAX_PENDING_CHANGES, this.#generation.preferredCommitSize ?? MAX_PENDING_CHANGES)
    if (this.#isAtCommitLimit || this.#unit.changeCount >= ample) return true
    if (this.#lastFolded.position - this.#checkpoint.position >= MAX_PENDING_EVENTS) return true
    return this.#isPending && performance.now() - this.#pendingSince >= MAX_PENDING_MS
  }

  get #isAtCommitLimit(): boolean {
    return this.#unit.changeCount >= this.#commitLimit
  }

  async #foldAll(all: readonly DecodedRecord[]): Promise<void> {
    const events = all.filter(({ record }) => record.position > this.#lastFolded.position)
    const began = performance.now()
    if (this.#startedAt === null) {
      this.#startedAt = Date.now()
      this.#pendingSince = began
    }
    await this.#applier.prefetch(events)
    let folded = 0
    for (const event of events) {
      if (this.#commitInFlight !== null && ++folded % EVENTS_PER_TURN === 0) await nextTurn()
      const resume = this.#isPending ? null : this.#checkpoint.slice
      const quick = resume === null ? this.#applier.applyIfLoaded(event) : null
      const before = this.#lastFolded
      this.#countOutcome(event, quick ?? (await this.#applier.apply(event, resume, (slice) => this.#commit(before, slice))))
      this.#lastFolded = { position: event.record.position, eventId: event.record.id }
      this.#hooks.onEvent?.(event, this.#unit.loadedDocs)
      if (this.#lastFolded.position >= this.#strictUntil) this.#applier.checksEachEvent = false
      if (this.#isAtCommitLimit) break
    }
    this.#foldMs += performance.now() - began
  }

  /** Some document is not fit to be written. Back to the last commit, to look at every event's documents on their own. */
  async #rewindToFindPoison(poison: PoisonError): Promise<void> {
    await this.#awaitCommit()
    const until = this.#lastFolded.position + 1
    // They have been looked at on their own, all of them: going back once more would find nothing.
    if (until <= this.#strictUntil) throw poison
    this.#strictUntil = until
    this.#unit.discardChanges()
    await this.#restartFrom(this.#checkpoint)
  }

  /**
   * Back to before the commit that was too large, and on in steps of half its size. What the documents in memory were before
   * it nobody knows any more. The checkpoint is the one that this session has left: another's would get around the fence.
   */
  async #halveCommitLimit(refusal: CommitTooLargeError): Promise<void> {
    const most = Math.floor(Math.min(refusal.changes, this.#commitLimit) / 2)
    if (most < 1) throw refusal
    this.#commitLimit = most
    const from = this.#commitInFlight?.from ?? this.#checkpoint
    this.#commitInFlight = null
    this.#checkpoint = from
    this.#derivedDocuments.forget()
    this.#unit = new UnitOfWork(this.#generation)
    await this.#restartFrom(from)
  }

  async #restartFrom(checkpoint: Checkpoint): Promise<void> {
    this.#tallies = {}
    this.#parked = []
    this.#invalidBefore = checkpoint.floor
    this.#lastFolded = checkpoint
    this.#applier = new EventApplier(this.#projection, this.#unit, await loadParked(this.#generation))
    this.#applier.checksEachEvent = checkpoint.position < this.#strictUntil
  }

  #countOutcome({ decoded, record }: DecodedRecord, outcome: Outcome): void {
    if (outcome === 'parked') this.#parked.push({ eventId: record.id, aggregate: record.subject, position: record.position })
    this.#tallies[outcome] = (this.#tallies[outcome] ?? 0) + 1
    if (decoded.outcome === 'event' && outcome === 'applied' && REMOVAL_EVENTS.has(decoded.event.name))
      this.#invalidBefore = decoded.event.position
  }

  async #commit(done: LastFolded, slice: FanOutProgress | null): Promise<void> {
    const { to, commit } = await this.#prepareCommit(done, slice)
    await commit()
    this.#moveCheckpoint(to)
    this.#unit.committed()
    this.#raiseCommitLimit()
  }

  /** Begins to commit what has been folded so far, once the commit before it has ended. */
  async #startCommit(): Promise<void> {
    const { to, commit } = await this.#prepareCommit(this.#lastFolded, null)
    const underWay = { from: this.#checkpoint, ended: commit(), isOver: false }
    this.#commitInFlight = underWay
    this.#moveCheckpoint(to)
    this.#unit.commitStarted()
    const over = () => {
      underWay.isOver = true
    }
    // Whoever comes next is told of a failure; if nobody does, nobody wants to know.
    underWay.ended.then(over, over)
  }

  /** Checks what has been folded and makes a commit of it. */
  async #prepareCommit(done: LastFolded, slice: FanOutProgress | null): Promise<{ to: Checkpoint; commit(): Promise<void> }> {
    await this.#awaitCommit()
    const writes = this.#unit.writes()
    for (const { collection, after } of writes) if (after !== undefined) checkDocument(collection, after)
    const from = this.#checkpoint
    const to: Checkpoint = {
      position: done.position,
      eventId: done.eventId,
      slice,
      epoch: from.epoch,
      tallies: sumCounts(from.tallies, this.#tallies),
      floor: this.#invalidBefore,
    }
    const derived = this.#loading ? { writes } : await this.#derivedDocuments.withDerived(writes)
    const commit = { from, to, ...derived, ...this.#invalidationsOf(to, derived) }
    const batch = this.#batchSummary(to)
    return {
      to,
      commit: async () => {
        const began = performance.now()
        await this.#generation.commit(commit)
        this.#hooks.onCommit?.({ ...batch, commitMs: performance.now() - began })
        this.#hooks.onWrites?.(commit.writes, to.position)
      },
    }
  }

  /** What has been folded so far is committed, or is about to be. */
  #moveCheckpoint(to: Checkpoint): void {
    this.#checkpoint = to
    this.#tallies = {}
    this.#parked = []
    this.#startedAt = null
    this.#foldMs = 0
  }

  /** Not while nobody reads. What is not computed yet counts as written. */
  #invalidationsOf(to: Checkpoint, { writes, computeDerived }: Pick<Commit, 'writes' | 'computeDerived'>): Pick<Commit, 'invalidationLog'> {
    const derived = computeDerived === undefined ? [] : (this.#projection.derived?.documents ?? [])
    const invalidationLog = this.#loading ? undefined : this.#invalidationLog.append(this.#checkpoint, to, writes, derived)
    return invalidationLog === undefined ? {} : { invalidationLog }
  }

  #batchSummary(to: Checkpoint): Omit<CommittedBatch, 'commitMs'> {
    return {
      from: this.#checkpoint.position,
      to: to.position,
      lastEventId: to.eventId,
      outcomes: { ...this.#tallies },
      parked: this.#parked,
      startedAt: this.#startedAt ?? Date.now(),
      foldMs: this.#foldMs,
    }
  }
}

function sumCounts(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const sum = { ...a }
  for (const [key, value] of Object.entries(b)) sum[key] = (sum[key] ?? 0) + value
  return sum
}
