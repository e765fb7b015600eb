import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Position, START } from '../../events/index.js'
import { TrailWriter } from '../../invalidation/invalidation-log.js'
import { type Checkpoint, type Commit, CommitTooLargeError, type GenerationStore, type Slice } from '../../ports/document-store.js'
import { checkDocument } from '../definition/check-document.js'
import { loadParked, PoisonError } from '../definition/dead-letter-collections.js'
import { type Docs, type Projection, REMOVALS } from '../definition/projection.js'
import { Derivation } from './derived-documents.js'
import { Folder, type Outcome } from './event-applier.js'
import type { SourceEvent } from './log-reader.js'
import type { CommittedBatch, NewlyParked } from './telemetry.js'
import { WorkingSet } from './unit-of-work.js'

/** How much may be folded before it has to be committed. Bounds memory, and what a crash while loading costs. */
const MAX_PENDING_CHANGES = 25_000
const MAX_PENDING_EVENTS = 50_000
/** A load that is told to go slowly must not lose minutes to a crash. */
const MAX_PENDING_MS = 5000

/** How many events are folded before a commit that is under way gets a turn: its answers wait for this thread. */
const TURN = 250

/** Sees every event once it is folded, with the documents as it left them. */
export type Observer = (event: SourceEvent, docs: Pick<Docs, 'get'>) => void

/** The last event folded. */
type Done = Pick<Checkpoint, 'position' | 'eventId'>

export interface SessionWatch {
  observe?: Observer | undefined
  /** Is told of every commit. */
  metered?: ((batch: CommittedBatch) => void) | undefined
}

/**
 * One leader's work on one generation: takes batches of events, writes each changed document once, with the
 * checkpoint, in one commit. After any error it must be thrown away and opened anew: the store, not the memory of this
 * object, says how far things have come.
 */
export class Session {
  readonly #projection: Projection
  readonly #generation: GenerationStore
  #working: WorkingSet
  #folder: Folder
  #checkpoint: Checkpoint
  #tallies: Partial<Record<Outcome, number>> = {}
  #floor: Position
  #done: Done
  #strictUntil = 0
  /** While a generation is loading nobody reads it: derived documents wait for the end, and there is no trail. */
  readonly #loading: boolean
  readonly #derivation: Derivation
  readonly #trail = new TrailWriter()
  readonly #observe: Observer | undefined
  readonly #metered: ((batch: CommittedBatch) => void) | undefined
  #parked: NewlyParked[] = []
  #startedAt: number | null = null
  /** By a clock that nobody sets. */
  #pendingSince = 0
  #foldMs = 0
  /** A commit that events are folded beside. What comes of it is told by {@link settle}. */
  #underWay: { from: Checkpoint; ended: Promise<void>; isOver: boolean } | null = null
  /** Changes to a commit, since the store has refused more of them as too large. */
  #most = Number.POSITIVE_INFINITY

  static async open(
    projection: Projection,
    generation: GenerationStore,
    epoch: number,
    loading: boolean,
    { observe, metered }: SessionWatch = {},
  ): Promise<Session> {
    const checkpoint = await generation.fence(epoch)
    const beganEmpty = loading && checkpoint.position === START && checkpoint.slice === null
    const working = new WorkingSet(generation, { beganEmpty })
    const folder = new Folder(projection, working, await loadParked(generation))
    return new Session(projection, generation, working, folder, checkpoint, loading, { observe, metered })
  }

  private constructor(
    projection: Projection,
    generation: GenerationStore,
    working: WorkingSet,
    folder: Folder,
    checkpoint: Checkpoint,
    loading: boolean,
    { observe, metered }: SessionWatch,
  ) {
    this.#observe = observe
    this.#metered = metered
    this.#projection = projection
    this.#generation = generation
    this.#working = working
    this.#folder = folder
    this.#checkpoint = checkpoint
    this.#done = checkpoint
    this.#floor = checkpoint.floor
    this.#loading = loading
    this.#derivation = new Derivation(projection, generation)
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  get parkedCount(): number {
    return this.#folder.parkedCount
  }

  /** How far the events are folded, committed or not. */
  get position(): Position {
    return this.#done.position
  }

  /**
   * Folds events and commits. `defer` leaves the commit for later as long as the changes fit into memory: while
   * loading, hot documents are then written once for very many events. It does not wait for such a commit either: a
   * database on another processor works on it while the next events are folded, and if it fails a later call does. May end
   * before the last event: see `position`.
   */
  advance(events: readonly SourceEvent[], { defer = false } = {}): Promise<void> {
    return this.#asFarAsItGoes(async () => {
      // As soon as it can be told: until then all that it has written is kept in memory.
      if (this.#underWay?.isOver) await this.#settle()
      const pending = this.#isPending
      for (let committing = !defer; ; committing = true) {
        try {
          await this.#pass(events)
          if (committing) await this.#flush()
          else if (this.#isFull) await this.#send()
          return
        } catch (error) {
          if (!(error instanceof PoisonError)) throw error
          await this.#rewind(error)
          // Events from before this call are pending too: the caller has to read them again.
          if (pending) return
        }
      }
    })
  }

  /** Commits what has been deferred, or takes it back when some of it cannot be written: see `position`. */
  flush(): Promise<void> {
    return this.#asFarAsItGoes(async () => {
      try {
        await this.#flush()
      } catch (error) {
        if (!(error instanceof PoisonError)) throw error
        await this.#rewind(error)
      }
    })
  }

  /** What the store has no room for in one commit is taken back, to be folded again and committed in smaller ones. */
  async #asFarAsItGoes(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CommitTooLargeError)) throw error
      await this.#retreat(error)
    }
  }

  async #flush(): Promise<void> {
    if (this.#isPending) await this.#commit(this.#done, null)
    await this.#settle()
  }

  /** Waits for the commit under way, if there is one. */
  settle(): Promise<void> {
    return this.#asFarAsItGoes(() => this.#settle())
  }

  async #settle(): Promise<void> {
    if (this.#underWay === null) return
    await this.#underWay.ended
    this.#underWay = null
    this.#working.landed()
    this.#dareMore()
  }

  /** What was too large once need not be for ever: a live session may last for months. */
  #dareMore(): void {
    this.#most += Math.ceil(this.#most / 16)
  }

  /** Ends the loading of a generation: the derived documents come into being. */
  async derive(): Promise<void> {
    const { derived } = this.#projection
    if (derived === undefined) return
    await this.#generation.commit({ from: this.#checkpoint, to: this.#checkpoint, writes: [], derive: (reads) => derived.compute(reads) })
  }

  get #isPending(): boolean {
    return this.#done.position > this.#checkpoint.position
  }

  get #isFull(): boolean {
    const ample = Math.min(MAX_PENDING_CHANGES, this.#generation.ampleCommit ?? MAX_PENDING_CHANGES)
    if (this.#isAtMost || this.#working.changeCount >= ample) return true
    if (this.#done.position - this.#checkpoint.position >= MAX_PENDING_EVENTS) return true
    return this.#isPending && performance.now() - this.#pendingSince >= MAX_PENDING_MS
  }

  get #isAtMost(): boolean {
    return this.#working.changeCount >= this.#most
  }

  async #pass(all: readonly SourceEvent[]): Promise<void> {
    const events = all.filter(({ record }) => record.position > this.#done.position)
    const began = performance.now()
    if (this.#startedAt === null) {
      this.#startedAt = Date.now()
      this.#pendingSince = began
    }
    await this.#folder.prefetch(events)
    let folded = 0
    for (const event of events) {
      if (this.#underWay !== null && ++folded % TURN === 0) await nextTurn()
      const resume = this.#isPending ? null : this.#checkpoint.slice
      const quick = resume === null ? this.#folder.foldNow(event) : null
      const before = this.#done
      this.#note(event, quick ?? (await this.#folder.fold(event, resume, (slice) => this.#commit(before, slice))))
      this.#done = { position: event.record.position, eventId: event.record.id }
      this.#observe?.(event, this.#working.guess)
      if (this.#done.position >= this.#strictUntil) this.#folder.strict = false
      if (this.#isAtMost) break
    }
    this.#foldMs += performance.now() - began
  }

  /** Some document is not fit to be written. Back to the last commit, to look at every event's documents on their own. */
  async #rewind(poison: PoisonError): Promise<void> {
    await this.#settle()
    const until = this.#done.position + 1
    // They have been looked at on their own, all of them: going back once more would find nothing.
    if (until <= this.#strictUntil) throw poison
    this.#strictUntil = until
    this.#working.discardChanges()
    await this.#goBackTo(this.#checkpoint)
  }

  /**
   * Back to before the commit that was too large, and on in steps of half its size. What the documents in memory were before
   * it nobody knows any more. The checkpoint is the one that this session has left: another's would get around the fence.
   */
  async #retreat(refusal: CommitTooLargeError): Promise<void> {
    const most = Math.floor(Math.min(refusal.changes, this.#most) / 2)
    if (most < 1) throw refusal
    this.#most = most
    const from = this.#underWay?.from ?? this.#checkpoint
    this.#underWay = null
    this.#checkpoint = from
    this.#derivation.forget()
    this.#working = new WorkingSet(this.#generation)
    await this.#goBackTo(from)
  }

  async #goBackTo(checkpoint: Checkpoint): Promise<void> {
    this.#tallies = {}
    this.#parked = []
    this.#floor = checkpoint.floor
    this.#done = checkpoint
    this.#folder = new Folder(this.#projection, this.#working, await loadParked(this.#generation))
    this.#folder.strict = checkpoint.position < this.#strictUntil
  }

  #note({ decoded, record }: SourceEvent, outcome: Outcome): void {
    if (outcome === 'parked') this.#parked.push({ eventId: record.id, aggregate: record.subject, position: record.position })
    this.#tallies[outcome] = (this.#tallies[outcome] ?? 0) + 1
    if (decoded.outcome === 'event' && outcome === 'applied' && REMOVALS.has(decoded.event.name)) this.#floor = decoded.event.position
  }

  async #commit(done: Done, slice: Slice | null): Promise<void> {
    const { to, commit } = await this.#ready(done, slice)
    await commit()
    this.#reached(to)
    this.#working.committed()
    this.#dareMore()
  }

  /** Begins to commit what has been folded so far, once the commit before it has ended. */
  async #send(): Promise<void> {
    const { to, commit } = await this.#ready(this.#done, null)
    const underWay = { from: this.#checkpoint, ended: commit(), isOver: false }
    this.#underWay = underWay
    this.#reached(to)
    this.#working.sent()
    const over = () => {
      underWay.isOver = true
    }
    // Whoever comes next is told of a failure; if nobody does, nobody wants to know.
    underWay.ended.then(over, over)
  }

  /** Checks what has been folded and makes a commit of it. */
  async #ready(done: Done, slice: Slice | null): Promise<{ to: Checkpoint; commit(): Promise<void> }> {
    await this.#settle()
    const writes = this.#working.writes()
    for (const { collection, after } of writes) if (after !== undefined) checkDocument(collection, after)
    const from = this.#checkpoint
    const to: Checkpoint = {
      position: done.position,
      eventId: done.eventId,
      slice,
      epoch: from.epoch,
      tallies: add(from.tallies, this.#tallies),
      floor: this.#floor,
    }
    const derived = this.#loading ? { writes } : await this.#derivation.after(writes)
    const commit = { from, to, ...derived, ...this.#trailOf(to, derived) }
    const batch = this.#batchTo(to)
    return {
      to,
      commit: async () => {
        const began = performance.now()
        await this.#generation.commit(commit)
        this.#metered?.({ ...batch, commitMs: performance.now() - began })
      },
    }
  }

  /** What has been folded so far is committed, or is about to be. */
  #reached(to: Checkpoint): void {
    this.#checkpoint = to
    this.#tallies = {}
    this.#parked = []
    this.#startedAt = null
    this.#foldMs = 0
  }

  /** Not while nobody reads. What is not computed yet counts as written. */
  #trailOf(to: Checkpoint, { writes, derive }: Pick<Commit, 'writes' | 'derive'>): Pick<Commit, 'trail'> {
    const derived = derive === undefined ? [] : (this.#projection.derived?.documents ?? [])
    const trail = this.#loading ? undefined : this.#trail.after(this.#checkpoint, to, writes, derived)
    return trail === undefined ? {} : { trail }
  }

  #batchTo(to: Checkpoint): Omit<CommittedBatch, 'commitMs'> {
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

function add(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const sum = { ...a }
  for (const [key, value] of Object.entries(b)) sum[key] = (sum[key] ?? 0) + value
  return sum
}
