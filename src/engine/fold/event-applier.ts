import { catalogue, EVENT_NAMES, type EventName, type VitrineEvent } from '../../events/index.js'
import type { FanOutProgress } from '../../ports/document-store.js'
import type { LogRecord } from '../../ports/event-log.js'
import {
  addWaiting,
  deadLetterRef,
  deadLetters,
  type ParkedDoc,
  PoisonError,
  park,
  parkedAggregates,
} from '../definition/dead-letter-collections.js'
import { type FanOut, type Fold, type Projection, REMOVAL_EVENTS, type Ref, ref, type StateCollection } from '../definition/projection.js'
import { type CommitFanOutProgress, runFanOuts } from './fan-out.js'
import type { DecodedRecord } from './log-reader.js'
import type { UnitOfWork } from './unit-of-work.js'

/** A fold with its state collection. */
type ResolvedFold = Fold<EventName> & { state: StateCollection | undefined }

/** Gives all folds one shape in memory: every event goes through here. */
const NO_OPTIONS = { touches: undefined, also: undefined, fanOut: undefined }

function resolveFolds({ state, on }: Projection): ReadonlyMap<EventName, ResolvedFold> {
  const resolved = new Map<EventName, ResolvedFold>()
  for (const name of EVENT_NAMES) {
    // The fold under an event's name takes events of that name, which the compiler cannot follow.
    const fold = on[name] as Fold<EventName> | undefined
    if (fold !== undefined) resolved.set(name, { ...NO_OPTIONS, ...fold, state: state[catalogue[name].aggregate] })
  }
  return resolved
}

export type Outcome = 'applied' | 'duplicate' | 'unhandled' | 'unknown' | 'discarded' | 'removed' | 'parked' | 'waiting'

/** Folds events into a unit of work, one by one. Knows nothing of batches, checkpoints and leases. */
export class EventApplier {
  readonly #folds: ReadonlyMap<EventName, ResolvedFold>
  readonly #unit: UnitOfWork
  readonly #parked: Map<string, ParkedDoc>
  /** Events that threw while prefetching: {@link #applyIfLoaded} must not try them. */
  readonly #failedPrefetch = new WeakSet<VitrineEvent>()
  /** Check the documents after every event, to find the one that breaks a batch. */
  checksEachEvent = false

  constructor(projection: Projection, unitOfWork: UnitOfWork, parkedAggregates: Map<string, ParkedDoc>) {
    this.#folds = resolveFolds(projection)
    this.#unit = unitOfWork
    this.#parked = parkedAggregates
  }

  get parkedCount(): number {
    return this.#parked.size
  }

  /** Loads what a batch will touch in two reads: what the events name, then what `also` finds in those documents. */
  async prefetch(events: readonly DecodedRecord[]): Promise<void> {
    const leading: [VitrineEvent, ResolvedFold][] = []
    for (const { decoded } of events) {
      if (decoded.outcome !== 'event') continue
      const { event } = decoded
      const fold = this.#folds.get(event.name)
      if (fold === undefined) continue
      if (fold.state !== undefined) this.#unit.requestLoad(fold.state.collection, event.key)
      if (fold.touches !== undefined) this.#requestAll(event, () => fold.touches?.(event))
      if (fold.also !== undefined) leading.push([event, fold])
    }
    await this.#unit.loadRequested()
    for (const [event, fold] of leading) this.#requestAll(event, () => fold.also?.(event, this.#unit.loadedDocs))
    await this.#unit.loadRequested()
  }

  /** An error is ignored here: it occurs again when the event is applied, and parks it then. */
  #requestAll(event: VitrineEvent, refs: () => readonly Ref[] | undefined): void {
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
    if (decoded.outcome === 'unknown' || decoded.outcome === 'discarded') return decoded.outcome
    if (decoded.outcome === 'poison') {
      if (!this.#handles(record.subject, decoded.name)) return 'unhandled'
      return this.#park(record, new PoisonError(decoded.reason))
    }
    const { event } = decoded
    const fold = this.#folds.get(event.name)
    if (fold === undefined) return 'unhandled'
    const outcome = resume === null ? this.#applyIfLoaded(event, fold) : null
    return outcome ?? this.#loadAndApply(record, event, fold, resume, slice)
  }

  /** For an event without a fan-out whose documents are all loaded. `null` for any other, and for poison. */
  #applyIfLoaded(event: VitrineEvent, fold: ResolvedFold): Outcome | null {
    if (this.checksEachEvent || this.#parked.has(event.aggregate) || this.#failedPrefetch.has(event)) return null
    try {
      const outcome = this.#applyUnlessDuplicate(event, fold)
      if (outcome === 'applied' && fold.fanOut !== undefined && this.#hasFanOut(event, fold.fanOut)) {
        this.#unit.discardDrafts()
        return null
      }
      this.#unit.acceptDrafts()
      return outcome
    } catch {
      this.#unit.discardDrafts()
      return null
    }
  }

  /** Whether the event, already applied, has a fan-out to run. */
  #hasFanOut(event: VitrineEvent, steps: readonly FanOut<EventName>[]): boolean {
    return steps.some((step) => step.through !== null || step.where(event, this.#unit, undefined) !== null)
  }

  async #loadAndApply(
    record: LogRecord,
    event: VitrineEvent,
    fold: ResolvedFold,
    resume: FanOutProgress | null,
    slice: CommitFanOutProgress,
  ): Promise<Outcome> {
    const released = this.#parked.has(event.aggregate)
    if (released && !(await this.#endsParking(event, fold))) return this.#park(record, null)
    const accept = () => {
      this.#accept()
      if (released) this.#parked.delete(event.aggregate)
    }
    let reached = resume
    try {
      if (released) await this.#unpark(event.aggregate)
      const outcome = await this.#applyWithFanOut(event, fold, resume, async (progress) => {
        accept()
        await slice(progress)
        reached = progress
      })
      accept()
      return outcome
    } catch (error) {
      this.#unit.discardDrafts()
      if (!(error instanceof FoldError)) throw error
      return this.#park(record, error.reason, reached)
    }
  }

  /** Leaves drafts, so that an error in a fan-out undoes the whole event, except for committed slices. */
  async #applyWithFanOut(
    event: VitrineEvent,
    fold: ResolvedFold,
    resume: FanOutProgress | null,
    slice: CommitFanOutProgress,
  ): Promise<Outcome> {
    const named = runProjectionCode(() => this.#refsOf(event, fold))
    await this.#loadMissing(named)
    if (resume === null) {
      await this.#loadUntilComplete(() => fold.also?.(event, this.#unit.loadedDocs) ?? [])
      const outcome = runProjectionCode(() => this.#applyUnlessDuplicate(event, fold))
      if (outcome !== 'applied') return outcome
    }
    // The event's own documents too: committing a slice may have evicted them.
    const loadUntilComplete = (refs: () => readonly Ref[]) => this.#loadUntilComplete(() => [...named, ...refs()])
    const context = { unit: this.#unit, visited: 0, loadUntilComplete, run: runProjectionCode }
    if (fold.fanOut !== undefined) await runFanOuts(fold.fanOut, event, context, resume, slice)
    return 'applied'
  }

  /** A duplicate changes nothing; an event about a removed aggregate only its sequence. */
  #applyUnlessDuplicate(event: VitrineEvent, fold: ResolvedFold): Outcome {
    const { state } = fold
    if (state === undefined) {
      fold.apply(event, this.#unit)
      return 'applied'
    }
    const stored = this.#unit.get(state.collection, event.key)
    const before = stored ?? state.blank(event.key)
    if (event.sequence <= before.seq) return 'duplicate'
    if (!before.removed) fold.apply(event, this.#unit)
    const after = this.#unit.get(state.collection, event.key)
    // The fold has just created this document, so its sequence can be set in place.
    if (after !== undefined && after !== stored) after.seq = event.sequence
    else this.#unit.put(state.collection, { ...before, seq: event.sequence })
    return before.removed ? 'removed' : 'applied'
  }

  /** Loads what `refs` names until it names nothing new. */
  async #loadUntilComplete(refs: () => readonly Ref[]): Promise<void> {
    for (;;) {
      const missing = runProjectionCode(refs).filter((candidate) => !this.#unit.isLoaded(candidate))
      if (missing.length === 0) return
      await this.#unit.load(missing)
    }
  }

  async #loadMissing(refs: readonly Ref[]): Promise<void> {
    if (refs.some((candidate) => !this.#unit.isLoaded(candidate))) await this.#unit.load(refs)
  }

  #accept(): void {
    if (this.checksEachEvent) runProjectionCode(() => this.#unit.checkDrafts())
    this.#unit.acceptDrafts()
  }

  #refsOf(event: VitrineEvent, fold: ResolvedFold): Ref[] {
    const state = fold.state === undefined ? [] : [ref(fold.state.collection, event.key)]
    return [...(fold.touches?.(event) ?? []), ...state]
  }

  /** Whether an unreadable event concerns this projection. */
  #handles(subject: string, name: EventName | null): boolean {
    if (name !== null) return this.#folds.has(name)
    const kind = subject.slice(0, subject.indexOf('/'))
    return [...this.#folds.keys()].some((handled) => catalogue[handled].aggregate === kind)
  }

  async #park(record: LogRecord, cause: Error | null, reached: FanOutProgress | null = null): Promise<Outcome> {
    const parked = this.#parked.get(record.subject)
    // A write needs the stored document that it replaces.
    await this.#loadMissing([ref(parkedAggregates, record.subject), deadLetterRef(record)])
    const doc =
      parked === undefined ? park(this.#unit, record, cause ?? new PoisonError('parked'), reached) : addWaiting(this.#unit, record, parked)
    this.#parked.set(record.subject, doc)
    this.#unit.acceptDrafts()
    return parked === undefined ? 'parked' : 'waiting'
  }

  /** A removal does not wait, unless the parked event is itself a removal that stopped half-way. */
  async #endsParking(event: VitrineEvent, { state }: ResolvedFold): Promise<boolean> {
    if (!REMOVAL_EVENTS.has(event.name)) return false
    if (state === undefined || this.#parked.get(event.aggregate)?.slice === undefined) return true
    await this.#loadMissing([ref(state.collection, event.key)])
    return this.#unit.get(state.collection, event.key)?.removed !== true
  }

  /** After a removal nothing has to be replayed. */
  async #unpark(aggregate: string): Promise<void> {
    const query = { index: 'byAggregate', equals: [aggregate] }
    const waiting = await this.#unit.matching(deadLetters, query, null, Number.MAX_SAFE_INTEGER)
    await this.#unit.load([...waiting.map((id) => ref(deadLetters, id)), ref(parkedAggregates, aggregate)])
    for (const id of waiting) this.#unit.delete(deadLetters, id)
    this.#unit.delete(parkedAggregates, aggregate)
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
