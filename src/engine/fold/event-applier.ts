import { catalogue, EVENT_NAMES, type EventName, type VitrineEvent } from '../../events/index.js'
import type { Slice } from '../../ports/document-store.js'
import { checkDocument } from '../definition/check-document.js'
import { letterRef, letters, type ParkedDoc, PoisonError, park, parked, waitBehind } from '../definition/dead-letter-collections.js'
import { type Docs, type FanOut, type Fold, type Projection, REMOVALS, type Ref, ref, type StateOf } from '../definition/projection.js'
import { fanOut, type SliceCommit, type Sweeper } from './fan-out.js'
import type { SourceEvent } from './log-reader.js'
import type { WorkingSet } from './unit-of-work.js'

/** A fold and where the aggregate's state is, found in one step; all of one shape, since every event goes through here. */
interface PreparedFold extends Pick<Fold<EventName>, 'apply'> {
  state: StateOf | undefined
  touches: Fold<EventName>['touches']
  also: Fold<EventName>['also']
  fanOut: readonly FanOut<EventName>[] | undefined
}

function prepare({ state, on }: Projection): ReadonlyMap<EventName, PreparedFold> {
  const prepared = new Map<EventName, PreparedFold>()
  for (const name of EVENT_NAMES) {
    // The fold under an event's name takes events of that name, which is more than the compiler can follow.
    const fold = on[name] as Fold<EventName> | undefined
    if (fold === undefined) continue
    const { touches, also, apply, fanOut } = fold
    prepared.set(name, {
      state: state[catalogue[name].aggregate],
      touches: touches?.bind(fold),
      also: also?.bind(fold),
      apply: apply.bind(fold),
      fanOut,
    })
  }
  return prepared
}

export type Outcome = 'applied' | 'duplicate' | 'unhandled' | 'unknown' | 'discarded' | 'removed' | 'parked' | 'waiting'

/** Folds events into a working set, one after the other. Knows nothing of batches, checkpoints and leases. */
export class Folder {
  readonly #projection: Projection
  readonly #folds: ReadonlyMap<EventName, PreparedFold>
  readonly #working: WorkingSet
  readonly #parked: Map<string, ParkedDoc>
  /** Events that threw while prefetching: not for the quick way, which does not ask what they touch. */
  readonly #suspect = new WeakSet<VitrineEvent>()
  /** Check every event's documents at once, to find the one that breaks a batch. */
  strict = false

  constructor(projection: Projection, working: WorkingSet, parkedAggregates: Map<string, ParkedDoc>) {
    this.#projection = projection
    this.#folds = prepare(projection)
    this.#working = working
    this.#parked = parkedAggregates
  }

  get parkedCount(): number {
    return this.#parked.size
  }

  /** Loads in as few reads as it takes what a batch will touch: first what the events name, then what that leads to. */
  async prefetch(events: readonly SourceEvent[]): Promise<void> {
    const leading: [VitrineEvent, NonNullable<PreparedFold['also']>][] = []
    for (const { decoded } of events) {
      if (decoded.outcome !== 'event') continue
      const { event } = decoded
      const fold = this.#folds.get(event.name)
      if (fold === undefined) continue
      const { state, touches, also } = fold
      if (state !== undefined) this.#working.want(state.collection, event.key)
      if (touches !== undefined) this.#wantAll(event, touches)
      if (also !== undefined) leading.push([event, also])
    }
    await this.#working.loadWanted()
    for (const [event, also] of leading) this.#wantAll(event, also)
    await this.#working.loadWanted()
  }

  /** Prefetching only guesses: what throws here is asked again when it is the event's turn, and parks it then. */
  #wantAll(event: VitrineEvent, refs: (event: VitrineEvent, docs: Docs) => readonly Ref[]): void {
    try {
      for (const { collection, id } of refs(event, this.#working.guess)) this.#working.want(collection, id)
    } catch {
      this.#suspect.add(event)
    }
  }

  /**
   * The quick way, for an event that has nothing to sweep and whose documents are all loaded: no waiting, and nothing asked
   * twice. `null` means that it takes the long way, {@link fold}, which loads what is missing and parks what is poison.
   */
  foldNow({ record, decoded }: SourceEvent): Outcome | null {
    if (decoded.outcome === 'unknown' || decoded.outcome === 'discarded') return decoded.outcome
    if (decoded.outcome === 'poison') return this.#concerns(record.subject, decoded.name) ? null : 'unhandled'
    const { event } = decoded
    const fold = this.#folds.get(event.name)
    if (fold === undefined) return 'unhandled'
    if (this.strict || this.#parked.has(event.aggregate) || this.#suspect.has(event)) return null
    try {
      const outcome = this.#foldInto(event, fold)
      if (outcome === 'applied' && fold.fanOut !== undefined && this.#sweeps(event, fold.fanOut)) {
        this.#working.discardDrafts()
        return null
      }
      this.#working.acceptDrafts()
      return outcome
    } catch {
      this.#working.discardDrafts()
      return null
    }
  }

  /** Whether any fan-out of an event that has been applied finds something to do. */
  #sweeps(event: VitrineEvent, steps: readonly FanOut<EventName>[]): boolean {
    return steps.some((step) => step.through !== null || step.where(event, this.#working, undefined) !== null)
  }

  /** `resume` continues a fan-out that an earlier batch began; `slice` lets a large one commit on the way. */
  async fold({ record, decoded }: SourceEvent, resume: Slice | null, slice: SliceCommit): Promise<Outcome> {
    if (decoded.outcome === 'unknown' || decoded.outcome === 'discarded') return decoded.outcome
    if (decoded.outcome === 'poison') {
      if (!this.#concerns(record.subject, decoded.name)) return 'unhandled'
      return this.#setAside(record, new PoisonError(decoded.reason))
    }
    const { event } = decoded
    const fold = this.#folds.get(event.name)
    if (fold === undefined) return 'unhandled'
    const released = this.#parked.has(event.aggregate)
    if (released && !(await this.#settles(event, fold))) return this.#setAside(record, null)
    const accept = () => {
      this.#accept()
      if (released) this.#parked.delete(event.aggregate)
    }
    let reached = resume
    try {
      if (released) await this.#release(event.aggregate)
      const outcome = await this.#apply(event, fold, resume, async (mark) => {
        accept()
        await slice(mark)
        reached = mark
      })
      accept()
      return outcome
    } catch (error) {
      this.#working.discardDrafts()
      if (!(error instanceof FoldError)) throw error
      return this.#setAside(record, error.reason, reached)
    }
  }

  /** Leaves drafts behind, so that a throw in a fan-out takes back the whole event; only slices already committed stay. */
  async #apply(event: VitrineEvent, fold: PreparedFold, resume: Slice | null, slice: SliceCommit): Promise<Outcome> {
    const named = pure(() => this.#named(event, fold))
    await this.#load(named)
    if (resume === null) {
      await this.#settle(() => fold.also?.(event, this.#working.guess) ?? [])
      const outcome = pure(() => this.#foldInto(event, fold))
      if (outcome !== 'applied') return outcome
    }
    if (fold.fanOut !== undefined) await fanOut(fold.fanOut, event, this.#sweeper(named), resume, slice)
    return 'applied'
  }

  #sweeper(named: readonly Ref[]): Sweeper {
    return {
      working: this.#working,
      visited: 0,
      // The event's own documents too: a commit on the way may have made the working set forget them.
      settle: (refs) => this.#settle(() => [...named, ...refs()]),
      ask: pure,
    }
  }

  /** Applies an event unless it is a duplicate or about something removed; then only the sequence moves on. */
  #foldInto(event: VitrineEvent, { state, apply }: PreparedFold): Outcome {
    if (state === undefined) {
      apply(event, this.#working)
      return 'applied'
    }
    const stored = this.#working.get(state.collection, event.key)
    const before = stored ?? state.blank(event.key)
    if (event.sequence <= before.seq) return 'duplicate'
    if (!before.removed) apply(event, this.#working)
    const after = this.#working.get(state.collection, event.key)
    // A document the fold has just made is nobody else's yet, so its sequence can be set in place.
    if (after !== undefined && after !== stored) after.seq = event.sequence
    else this.#working.put(state.collection, { ...before, seq: event.sequence })
    return before.removed ? 'removed' : 'applied'
  }

  /** Loads what `refs` names until it names nothing new. */
  async #settle(refs: () => readonly Ref[]): Promise<void> {
    for (;;) {
      const missing = pure(refs).filter((candidate) => !this.#working.isLoaded(candidate))
      if (missing.length === 0) return
      await this.#working.load(missing)
    }
  }

  async #load(refs: readonly Ref[]): Promise<void> {
    if (refs.some((candidate) => !this.#working.isLoaded(candidate))) await this.#working.load(refs)
  }

  #accept(): void {
    if (this.strict) for (const { collection, doc } of this.#working.drafted()) pure(() => checkDocument(collection, doc))
    this.#working.acceptDrafts()
  }

  #named(event: VitrineEvent, { state, touches }: PreparedFold): Ref[] {
    const named = [...(touches?.(event) ?? [])]
    if (state !== undefined) named.push(ref(state.collection, event.key))
    return named
  }

  /** Whether an unreadable event would have been this projection's business. */
  #concerns(subject: string, name: EventName | null): boolean {
    if (name !== null) return this.#projection.on[name] !== undefined
    const kind = subject.slice(0, subject.indexOf('/'))
    return EVENT_NAMES.some((candidate) => catalogue[candidate].aggregate === kind && this.#projection.on[candidate] !== undefined)
  }

  async #setAside(record: SourceEvent['record'], cause: Error | null, reached: Slice | null = null): Promise<Outcome> {
    const behind = this.#parked.get(record.subject)
    // A parked aggregate is known from memory, but a write names the document it replaces as the store has it.
    await this.#load([ref(parked, record.subject), letterRef(record)])
    const doc =
      behind === undefined
        ? park(this.#working, record, cause ?? new PoisonError('parked'), reached)
        : waitBehind(this.#working, record, behind)
    this.#parked.set(record.subject, doc)
    this.#working.acceptDrafts()
    return behind === undefined ? 'parked' : 'waiting'
  }

  /** Whether an event of a parked aggregate need not wait: a removal, unless what is parked is a removal that stopped half-way. */
  async #settles(event: VitrineEvent, { state }: PreparedFold): Promise<boolean> {
    if (!REMOVALS.has(event.name)) return false
    if (state === undefined || this.#parked.get(event.aggregate)?.slice === undefined) return true
    await this.#load([ref(state.collection, event.key)])
    return this.#working.get(state.collection, event.key)?.removed !== true
  }

  /** A removal makes whatever the aggregate was waiting for moot. */
  async #release(aggregate: string): Promise<void> {
    const query = { index: 'byAggregate', equals: [aggregate] }
    const waiting = await this.#working.matching(letters, query, null, Number.MAX_SAFE_INTEGER)
    await this.#working.load([...waiting.map((id) => ref(letters, id)), ref(parked, aggregate)])
    for (const id of waiting) this.#working.delete(letters, id)
    this.#working.delete(parked, aggregate)
  }
}

/** A projection's own code threw: the event is poison. Errors of the store are not, and are never wrapped in this. */
class FoldError extends Error {
  constructor(readonly reason: Error) {
    super(reason.message)
  }
}

function pure<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new FoldError(error instanceof Error ? error : new Error(String(error)))
  }
}
