import { type AnyEvent, type Decoded, publisherIn } from '../../events/index.js'
import type { FanOutProgress, ProjectionHealth } from '../../ports/document-store.js'
import { type Parked, PoisonError } from '../definition/dead-letter-collections.js'
import { type Projection, type Ref, ref } from '../definition/projection.js'
import { applyToState, NO_OPTIONS, type ResolvedFold, removalOf, resolveFolds, resolveSequenceFolds } from './apply-to-state.js'
import { DeadLetterWriter } from './dead-letter-writer.js'
import { type CommitFanOutProgress, runFanOuts } from './fan-out.js'
import type { DecodedRecord } from './log-page.js'
import type { UnitOfWork } from './unit-of-work.js'

type FanOutReport = NonNullable<ProjectionHealth['fanOut']>

export type Outcome = 'applied' | 'duplicate' | 'unhandled' | 'unknown' | 'discarded' | 'removed' | 'parked'

/** Folds events into a unit of work, one by one. Knows nothing of batches, checkpoints and leases. */
export class EventApplier {
  readonly #folds: ReadonlyMap<string, ResolvedFold>
  /** The kinds of aggregates whose events it folds. */
  readonly #aggregates: ReadonlySet<string>
  /** By kind of aggregate. */
  readonly #sequenceFolds: ReadonlyMap<string, ResolvedFold>
  readonly #arrivalFold: ResolvedFold | undefined
  readonly #unit: UnitOfWork
  readonly #deadLetters: DeadLetterWriter
  /** Events that threw while prefetching: {@link #applyIfLoaded} must not try them. */
  readonly #failedPrefetch = new WeakSet<AnyEvent>()
  /** Check the documents after every event, to find the one that breaks a batch. */
  checksEachEvent = false
  /** The last event has removed something, itself or by what it says of a removed person: nothing older may be shown. */
  hasRemoved = false
  readonly #onFanOut: ((progress: FanOutReport) => void) | undefined

  constructor(projection: Projection, unitOfWork: UnitOfWork, parked: Parked, onFanOut?: (progress: FanOutReport) => void) {
    this.#onFanOut = onFanOut
    this.#folds = resolveFolds(projection)
    this.#aggregates = new Set([...this.#folds.keys()].map((name) => projection.events.get(name)?.aggregate ?? ''))
    this.#sequenceFolds = resolveSequenceFolds(projection)
    // It only reads what an arrival and an event have in common.
    if (projection.onArrival !== undefined) this.#arrivalFold = { ...NO_OPTIONS, ...projection.onArrival, state: undefined }
    this.#unit = unitOfWork
    this.#deadLetters = new DeadLetterWriter(projection, unitOfWork, parked)
  }

  get parkedCount(): number {
    return this.#deadLetters.parkedCount
  }

  /** Loads what a batch will touch in two reads: what the events name, then what `also` finds in those documents. */
  async prefetch(events: readonly DecodedRecord[]): Promise<void> {
    const leading: [AnyEvent, ResolvedFold][] = []
    for (const { decoded } of events) {
      const event = this.#eventOf(decoded)
      const fold = event === null ? undefined : this.#foldOf(event)
      if (event === null || fold === undefined) continue
      if (fold.state !== undefined) this.#unit.requestLoad(fold.state.collection, event.key)
      if (fold.touches !== undefined) this.#requestAll(event, () => fold.touches?.(event))
      if (fold.guess !== null && fold.also !== undefined) leading.push([event, fold])
    }
    await this.#unit.loadRequested()
    for (const [event, fold] of leading) this.#requestAll(event, () => (fold.guess ?? fold.also)?.(event, this.#unit.loadedDocs))
    await this.#unit.loadRequested()
  }

  /** An error is ignored here: it occurs again when the event is applied, and parks it then. */
  #requestAll(event: AnyEvent, refs: () => readonly Ref[] | undefined): void {
    try {
      for (const { collection, id } of refs() ?? []) this.#unit.requestLoad(collection, id)
    } catch {
      this.#failedPrefetch.add(event)
    }
  }

  /**
   * Folds one event. `resume` continues a fan-out of an earlier batch; `slice` commits part of a large one. Gives no
   * promise where nothing has to be loaded, because awaiting every event would be expensive.
   */
  apply({ record, decoded }: DecodedRecord, resume: FanOutProgress | null, slice: CommitFanOutProgress): Outcome | Promise<Outcome> {
    const event = this.#eventOf(decoded)
    // A fan-out that goes on may have removed it before.
    this.hasRemoved = resume !== null
    if (event === null) {
      if (decoded.outcome !== 'poison') return decoded.outcome === 'discarded' ? 'discarded' : 'unknown'
      if (!this.#handles(record.subject, decoded.name)) return 'unhandled'
      return this.#setAside({ record, decoded }, new PoisonError(decoded.reason), resume, slice)
    }
    const fold = this.#foldOf(event)
    if (fold === undefined) return decoded.outcome === 'unknown' ? 'unknown' : 'unhandled'
    const outcome =
      (resume === null ? this.#applyIfLoaded(event, fold) : null) ?? this.#loadAndApply({ record, decoded }, event, fold, resume, slice)
    if (decoded.outcome === 'event') return outcome
    // Counted as such also where its arrival was recorded.
    const { outcome: read } = decoded
    return read === 'poison' ? outcome : Promise.resolve(outcome).then(() => read)
  }

  /** The event, or what its envelope says where the projection uses that. */
  #eventOf(decoded: Decoded): AnyEvent | null {
    if (decoded.outcome === 'event') return decoded.event
    const { arrival } = decoded
    if (arrival === null || (this.#arrivalFold === undefined && (decoded.outcome !== 'unknown' || arrival.unused))) return null
    // Folds of arrivals read only what an arrival and an event have in common.
    return arrival as AnyEvent
  }

  #foldOf(event: AnyEvent): ResolvedFold | undefined {
    return this.#arrivalFold ?? this.#folds.get(event.name) ?? this.#sequenceFolds.get(event.kind)
  }

  /** An event that cannot be folded becomes a dead letter. But of a publication that names an erased person, the creation goes. */
  async #setAside(
    { record, decoded }: DecodedRecord,
    cause: Error,
    resume: FanOutProgress | null,
    slice: CommitFanOutProgress,
  ): Promise<Outcome> {
    const publisher = publisherIn(decoded)
    const fold = this.#folds.get('creation.removed')
    if (publisher === null || fold === undefined || !(await this.#deadLetters.isRemoved(`creator/${publisher}`)))
      return this.#deadLetters.park(record, cause, publisher)
    const outcome = await this.#loadAndApply({ record, decoded }, removalOf(record.subject, record), fold, resume, slice)
    return outcome === 'parked' ? outcome : 'removed'
  }

  /** For an event without a fan-out whose documents are all loaded. `null` for any other, and for poison. */
  #applyIfLoaded(event: AnyEvent, fold: ResolvedFold): Outcome | null {
    if (this.checksEachEvent || this.#failedPrefetch.has(event)) return null
    if (event.name === 'creator.removed') return null
    try {
      const outcome = applyToState(this.#unit, event, fold)
      const hasFanOut = outcome === 'applied' && this.#hasFanOut(event, fold)
      if (hasFanOut || this.#deadLetters.mayBeRemovedNow) {
        this.#unit.discardDrafts()
        return null
      }
      this.hasRemoved ||= this.#unit.hasNewTombstones
      this.#unit.acceptDrafts()
      return outcome
    } catch {
      this.#unit.discardDrafts()
      return null
    }
  }

  /** Whether the event, already applied, has a fan-out to run. */
  #hasFanOut(event: AnyEvent, { mayFanOut, fanOut: steps }: ResolvedFold): boolean {
    if (steps === undefined || mayFanOut?.(event) === false) return false
    return steps.some(
      ({ through, where }) => (through === null ? where(event, this.#unit, undefined) : through.where(event, this.#unit)) !== null,
    )
  }

  async #loadAndApply(
    { record, decoded }: DecodedRecord,
    event: AnyEvent,
    fold: ResolvedFold,
    resume: FanOutProgress | null,
    slice: CommitFanOutProgress,
  ): Promise<Outcome> {
    const accept = async () => {
      const removed = await this.#deadLetters.removedNow()
      for (const each of removed) await this.#deadLetters.release(each)
      this.hasRemoved ||= this.#unit.hasNewTombstones
      this.#accept()
      for (const each of removed) this.#deadLetters.released(each)
    }
    let reached = resume
    try {
      const outcome = await this.#applyWithFanOut(event, fold, resume, async (progress) => {
        await accept()
        await slice(progress)
        reached = progress
      })
      if (event.name === 'creator.removed') await this.#removeUnreadOf(event)
      await accept()
      return outcome
    } catch (error) {
      this.#unit.discardDrafts()
      if (!(error instanceof FoldError)) throw error
      if (reached === null && event.name === 'creation.published') return this.#setAside({ record, decoded }, error.reason, null, slice)
      return this.#deadLetters.park(record, error.reason, publisherIn(decoded), reached)
    }
  }

  /** What an erased creator has published by events that could not be folded: no document knows its owner. */
  async #removeUnreadOf(removal: AnyEvent): Promise<void> {
    const fold = this.#folds.get('creation.removed')
    if (fold === undefined) return
    // One commit: these are few.
    for (const creation of this.#deadLetters.publishedBy(removal.key))
      await this.#applyWithFanOut(removalOf(creation, removal), fold, null, async () => {})
  }

  /** Leaves drafts, so that an error in a fan-out undoes the whole event, except for committed slices. */
  async #applyWithFanOut(
    event: AnyEvent,
    fold: ResolvedFold,
    resume: FanOutProgress | null,
    slice: CommitFanOutProgress,
  ): Promise<Outcome> {
    const named = runProjectionCode(() => this.#refsOf(event, fold))
    await this.#unit.load(named)
    if (resume === null) {
      await this.#loadUntilComplete(() => fold.also?.(event, this.#unit.loadedDocs) ?? [])
      const outcome = runProjectionCode(() => applyToState(this.#unit, event, fold))
      if (outcome !== 'applied') return outcome
    }
    // The event's own documents too: committing a slice may have evicted them.
    const loadUntilComplete = (refs: () => readonly Ref[]) => this.#loadUntilComplete(() => [...named, ...refs()])
    const progress = { position: event.position, done: 0, total: 0 }
    const context = {
      ...{ unit: this.#unit, visited: 0, loadUntilComplete, run: runProjectionCode },
      onVisit: () => {
        progress.done += 1
        this.#onFanOut?.({ ...progress })
      },
      onMany: (total: number) => {
        progress.total += total
      },
    }
    if (fold.fanOut !== undefined) await runFanOuts(fold.fanOut, event, context, resume, slice)
    return 'applied'
  }

  /** Loads what `refs` names until it names nothing new. */
  async #loadUntilComplete(refs: () => readonly Ref[]): Promise<void> {
    for (;;) {
      const missing = runProjectionCode(refs).filter((candidate) => !this.#unit.isLoaded(candidate))
      if (missing.length === 0) return
      await this.#unit.load(missing)
    }
  }

  #accept(): void {
    if (this.checksEachEvent) runProjectionCode(() => this.#unit.checkDrafts())
    this.#unit.acceptDrafts()
  }

  #refsOf(event: AnyEvent, fold: ResolvedFold): Ref[] {
    const state = fold.state === undefined ? [] : [ref(fold.state.collection, event.key)]
    return [...(fold.touches?.(event) ?? []), ...state]
  }

  /** Whether an unreadable event concerns this projection. */
  #handles(subject: string, name: string | null): boolean {
    if (name !== null) return this.#folds.has(name)
    const kind = subject.slice(0, subject.indexOf('/'))
    return this.#aggregates.has(kind)
  }
}

/** The projection's own code threw: the event is poison. Errors of the store are never wrapped in this. */
class FoldError extends Error {
  constructor(readonly reason: Error) {
    super(reason.message)
  }
}

function runProjectionCode<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new FoldError(error instanceof Error ? error : new Error(String(error)))
  }
}
