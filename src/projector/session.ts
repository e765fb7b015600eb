import type { Position } from '../events/index.js'
import type { Checkpoint, GenerationStore, Slice } from '../ports/document-store.js'
import { checkDocument } from './checks.js'
import { loadParked, PoisonError } from './dead-letters.js'
import { type Projection, REMOVALS } from './definition.js'
import { Folder, type Outcome } from './fold.js'
import type { SourceEvent } from './source.js'
import { WorkingSet } from './working-set.js'

/**
 * One leader's work on one generation: takes batches of events, writes each changed document once, with the
 * checkpoint, in one commit. After any error but a parked event it must be thrown away and opened anew: the store,
 * not the memory of this object, says how far things have come.
 */
export class Session {
  readonly #projection: Projection
  readonly #generation: GenerationStore
  readonly #working: WorkingSet
  #folder: Folder
  #checkpoint: Checkpoint
  #tallies: Partial<Record<Outcome, number>> = {}
  #floor: Position
  /** While a generation is loading nobody reads it, so derived documents wait for the end. */
  readonly #loading: boolean

  static async open(projection: Projection, generation: GenerationStore, epoch: number, loading: boolean): Promise<Session> {
    const checkpoint = await generation.fence(epoch)
    const working = new WorkingSet(generation)
    const folder = new Folder(projection, working, await loadParked(generation))
    return new Session(projection, generation, working, folder, checkpoint, loading)
  }

  private constructor(
    projection: Projection,
    generation: GenerationStore,
    working: WorkingSet,
    folder: Folder,
    checkpoint: Checkpoint,
    loading: boolean,
  ) {
    this.#projection = projection
    this.#generation = generation
    this.#working = working
    this.#folder = folder
    this.#checkpoint = checkpoint
    this.#floor = checkpoint.floor
    this.#loading = loading
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  get parkedCount(): number {
    return this.#folder.parkedCount
  }

  async advance(events: readonly SourceEvent[]): Promise<void> {
    try {
      await this.#pass(this.#ahead(events))
    } catch (error) {
      if (!(error instanceof PoisonError)) throw error
      // Some document of the batch is not fit to be written. Fold again, looking at every event's documents on their own.
      this.#working.discardChanges()
      this.#tallies = {}
      this.#folder = new Folder(this.#projection, this.#working, await loadParked(this.#generation))
      this.#folder.strict = true
      await this.#pass(this.#ahead(events))
      this.#folder.strict = false
    }
  }

  /** Ends the loading of a generation: the derived documents come into being. */
  async derive(): Promise<void> {
    const { derived } = this.#projection
    if (derived === undefined) return
    await this.#generation.commit({ from: this.#checkpoint, to: this.#checkpoint, writes: [], derive: (reads) => derived.compute(reads) })
  }

  #ahead(events: readonly SourceEvent[]): SourceEvent[] {
    return events.filter(({ record }) => record.position > this.#checkpoint.position)
  }

  async #pass(events: readonly SourceEvent[]): Promise<void> {
    await this.#folder.prefetch(events)
    let done = { position: this.#checkpoint.position, eventId: this.#checkpoint.eventId }
    let resume = this.#checkpoint.slice
    for (const event of events) {
      const before = done
      const outcome = await this.#folder.fold(event, resume, (slice) => this.#commit(before, slice))
      resume = null
      this.#note(event, outcome)
      done = { position: event.record.position, eventId: event.record.id }
    }
    if (events.length > 0) await this.#commit(done, null)
  }

  #note({ decoded }: SourceEvent, outcome: Outcome): void {
    this.#tallies[outcome] = (this.#tallies[outcome] ?? 0) + 1
    if (decoded.outcome === 'event' && outcome === 'applied' && REMOVALS.has(decoded.event.name)) this.#floor = decoded.event.position
  }

  async #commit(done: { position: Position; eventId: string | null }, slice: Slice | null): Promise<void> {
    const writes = this.#working.writes()
    for (const { collection, after } of writes) if (after !== undefined) checkDocument(collection, after)
    const to: Checkpoint = {
      ...done,
      slice,
      epoch: this.#checkpoint.epoch,
      tallies: add(this.#checkpoint.tallies, this.#tallies),
      floor: this.#floor,
    }
    const { derived } = this.#projection
    const deriving = derived !== undefined && !this.#loading && (await derived.concerns(writes, this.#generation))
    await this.#generation.commit({
      from: this.#checkpoint,
      to,
      writes,
      ...(deriving ? { derive: (reads) => derived.compute(reads) } : {}),
    })
    this.#checkpoint = to
    this.#tallies = {}
    this.#working.committed()
  }
}

function add(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const sum = { ...a }
  for (const [key, value] of Object.entries(b)) sum[key] = (sum[key] ?? 0) + value
  return sum
}
