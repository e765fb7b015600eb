import { catalogue, EVENT_NAMES, type EventName, type VitrineEvent } from '../../events/index.js'
import type { FanOutProgress } from '../../ports/document-store.js'
import {
  addWaiting,
  deadLetterRef,
  deadLetters,
  type ParkedDoc,
  PoisonError,
  park,
  parkedAggregates,
} from '../definition/dead-letter-collections.js'
import {
  type Docs,
  type FanOut,
  type Fold,
  type Projection,
  REMOVAL_EVENTS,
  type Ref,
  ref,
  type StateCollection,
} from '../definition/projection.js'
import { type CommitFanOutProgress, type FanOutContext, runFanOuts } from './fan-out.js'
import type { DecodedRecord } from './log-reader.js'
import { checkDocument, type UnitOfWork } from './unit-of-work.js'

/** A fold with its state collection. All of one shape: every event goes through here. */
interface ResolvedFold extends Pick<Fold<EventName>, 'apply'> {
  state: StateCollection | undefined
  touches: Fold<EventName>['touches']
  also: Fold<EventName>['also']
  fanOut: readonly FanOut<EventName>[] | undefined
}

function resolveFolds({ state, on }: Projection): ReadonlyMap<EventName, ResolvedFold> {
  const resolved = new Map<EventName, ResolvedFold>()
  for (const name of EVENT_NAMES) {
    // The fold under an event's name takes events of that name, which the compiler cannot follow.
    const fold = on[name] as Fold<EventName> | undefined
    if (fold === undefined) continue
    const { touches, also, apply, fanOut } = fold
    resolved.set(name, {
      state: state[catalogue[name].aggregate],
      touches: touches?.bind(fold),
      also: also?.bind(fold),
      apply: apply.bind(fold),
      fanOut,
    })
  }
  return resolved
}

export type Outcome = 'applied' | 'duplicate' | 'unhandled' | 'unknown' | 'discarded' | 'removed' | 'parked' | 'waiting'

/** Folds events into a unit of work, one by one. Knows nothing of batches, checkpoints and leases. */
export class EventApplier {
  readonly #projection: Projection
  readonly #folds: ReadonlyMap<EventName, ResolvedFold>
  readonly #unit: UnitOfWork
  readonly #parked: Map<string, ParkedDoc>
  /** Events that threw while prefetching: `applyIfLoaded` must not try them. */
  readonly #failedPrefetch = new WeakSet<VitrineEvent>()
  /** Check the documents after every event, to find the one that breaks a batch. */
  checksEachEvent = false

  constructor(projection: Projection, unitOfWork: UnitOfWork, parkedAggregates: Map<string, ParkedDoc>) {
    this.#projection = projection
    this.#folds = resolveFolds(projection)
    this.#unit = unitOfWork
    this.#parked = parkedAggregates
  }

  get parkedCount(): number {
    return this.#parked.size
  }

  /** Loads what a batch will touch in two reads: what the events name, then what `also` finds in those documents. */
  async prefetch(events: readonly DecodedRecord[]): Promise<void> {
    const leading: [VitrineEvent, NonNullable<ResolvedFold['also']>][] = []
    for (const { decoded } of events) {
      if (decoded.outcome !== 'event') continue
      const { event } = decoded
      const apply = this.#folds.get(event.name)
      if (apply === undefined) continue
      const { state, touches, also } = apply
      if (state !== undefined) this.#unit.requestLoad(state.collection, event.key)
      if (touches !== undefined) this.#requestAll(event, touches)
      if (also !== undefined) leading.push([event, also])
    }
    await this.#unit.loadRequested()
    for (const [event, also] of leading) this.#requestAll(event, also)
    await this.#unit.loadRequested()
  }

  /** An error is ignored here: it occurs again when the event is applied, and parks it then. */
  #requestAll(event: VitrineEvent, refs: (event: VitrineEvent, docs: Docs) => readonly Ref[]): void {
    try {
      for (const { collection, id } of refs(event, this.#unit.loadedDocs)) this.#unit.requestLoad(collection, id)
    } catch {
      this.#failedPrefetch.add(event)
    }
  }

  /**
   * The synchronous way, for an event without a fan-out whose documents are all loaded. Returns `null` where the event
   * needs {@link apply}, which loads what is missing and parks poison.
   */
  applyIfLoaded({ record, decoded }: DecodedRecord): Outcome | null {
    if (decoded.outcome === 'unknown' || decoded.outcome === 'discarded') return decoded.outcome
    if (decoded.outcome === 'poison') return this.#handles(record.subject, decoded.name) ? null : 'unhandled'
    const { event } = decoded
    const apply = this.#folds.get(event.name)
    if (apply === undefined) return 'unhandled'
    if (this.checksEachEvent || this.#parked.has(event.aggregate) || this.#failedPrefetch.has(event)) return null
    try {
      const outcome = this.#applyUnlessDuplicate(event, apply)
      if (outcome === 'applied' && apply.fanOut !== undefined && this.#hasFanOut(event, apply.fanOut)) {
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

  /** `resume` continues a fan-out of an earlier batch; `slice` commits part of a large one. */
  async apply({ record, decoded }: DecodedRecord, resume: FanOutProgress | null, slice: CommitFanOutProgress): Promise<Outcome> {
    if (decoded.outcome === 'unknown' || decoded.outcome === 'discarded') return decoded.outcome
    if (decoded.outcome === 'poison') {
      if (!this.#handles(record.subject, decoded.name)) return 'unhandled'
      return this.#park(record, new PoisonError(decoded.reason))
    }
    const { event } = decoded
    const apply = this.#folds.get(event.name)
    if (apply === undefined) return 'unhandled'
    const released = this.#parked.has(event.aggregate)
    if (released && !(await this.#endsParking(event, apply))) return this.#park(record, null)
    const accept = () => {
      this.#accept()
      if (released) this.#parked.delete(event.aggregate)
    }
    let reached = resume
    try {
      if (released) await this.#unpark(event.aggregate)
      const outcome = await this.#applyWithFanOut(event, apply, resume, async (progress) => {
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
    apply: ResolvedFold,
    resume: FanOutProgress | null,
    slice: CommitFanOutProgress,
  ): Promise<Outcome> {
    const named = runProjectionCode(() => this.#refsOf(event, apply))
    await this.#loadMissing(named)
    if (resume === null) {
      await this.#loadUntilComplete(() => apply.also?.(event, this.#unit.loadedDocs) ?? [])
      const outcome = runProjectionCode(() => this.#applyUnlessDuplicate(event, apply))
      if (outcome !== 'applied') return outcome
    }
    if (apply.fanOut !== undefined) await runFanOuts(apply.fanOut, event, this.#fanOutContext(named), resume, slice)
    return 'applied'
  }

  #fanOutContext(named: readonly Ref[]): FanOutContext {
    return {
      unit: this.#unit,
      visited: 0,
      // The event's own documents too: committing a slice may have evicted them.
      loadUntilComplete: (refs) => this.#loadUntilComplete(() => [...named, ...refs()]),
      run: runProjectionCode,
    }
  }

  /** A duplicate changes nothing; an event about a removed aggregate only its sequence. */
  #applyUnlessDuplicate(event: VitrineEvent, { state, apply }: ResolvedFold): Outcome {
    if (state === undefined) {
      apply(event, this.#unit)
      return 'applied'
    }
    const stored = this.#unit.get(state.collection, event.key)
    const before = stored ?? state.blank(event.key)
    if (event.sequence <= before.seq) return 'duplicate'
    if (!before.removed) apply(event, this.#unit)
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
    if (this.checksEachEvent)
      for (const { collection, doc } of this.#unit.drafted()) runProjectionCode(() => checkDocument(collection, doc))
    this.#unit.acceptDrafts()
  }

  #refsOf(event: VitrineEvent, { state, touches }: ResolvedFold): Ref[] {
    const named = [...(touches?.(event) ?? [])]
    if (state !== undefined) named.push(ref(state.collection, event.key))
    return named
  }

  /** Whether an unreadable event concerns this projection. */
  #handles(subject: string, name: EventName | null): boolean {
    if (name !== null) return this.#projection.on[name] !== undefined
    const kind = subject.slice(0, subject.indexOf('/'))
    return EVENT_NAMES.some((candidate) => catalogue[candidate].aggregate === kind && this.#projection.on[candidate] !== undefined)
  }

  async #park(record: DecodedRecord['record'], cause: Error | null, reached: FanOutProgress | null = null): Promise<Outcome> {
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
