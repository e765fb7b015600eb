import { setImmediate as nextTurn } from 'node:timers/promises'
import { decode, type Position } from '../../events/index.js'
import type { Around, Checkpoint, DocumentStore, GenerationStore, Slice } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { type LetterDoc, letters, lettersOf, parked } from '../definition/dead-letter-collections.js'
import { type Projection, REMOVALS, ref } from '../definition/projection.js'
import { Folder, type Outcome } from '../fold/event-applier.js'
import { WorkingSet } from '../fold/unit-of-work.js'
import { Decisions } from './discards.js'

interface Parts {
  projection: Projection
  store: DocumentStore
  log: EventLog
  opened: GenerationStore
  /** For what leaves this thread no time for anything else. */
  around?: Around | undefined
}

/** Events folded between two turns of this thread: on SQLite nothing else would let the lease's timer run. */
const TURN = 250
/** So many letters, or changes, are read or written in one go that a lease may run out meanwhile. */
const MANY = 1000

export interface Replayed {
  /** Aggregates whose events were folded again. */
  aggregates: number
  /** Those of them that are parked still, or again. */
  parked: number
  events: number
}

/**
 * Folds the events of parked aggregates once more, in order, as if they had just come. Each aggregate is one commit:
 * its letters go, its documents change, and whatever still cannot be folded is parked anew. No session may be at work
 * on the generation meanwhile; it would not know.
 */
export async function replayLetters(parts: Parts, epoch: number, aggregates: readonly string[]): Promise<Replayed> {
  const decisions = await Decisions.of(parts.store, parts.projection.name)
  const sum: Replayed = { aggregates: 0, parked: 0, events: 0 }
  let checkpoint = await parts.opened.fence(epoch)
  for (const aggregate of aggregates) {
    const replay = new Replay(parts, decisions, checkpoint)
    const events = await replay.fold(aggregate)
    if (events === 0) continue
    checkpoint = await replay.commit()
    await nextTurn()
    sum.aggregates += 1
    sum.parked += replay.isParked ? 1 : 0
    sum.events += events
  }
  return sum
}

/** One aggregate's way out of the dead letters. */
class Replay {
  readonly #parts: Parts
  readonly #decisions: Decisions
  readonly #before: Checkpoint
  readonly #working: WorkingSet
  readonly #folder: Folder
  readonly #tallies: Record<string, number>
  #floor: Position

  constructor(parts: Parts, decisions: Decisions, before: Checkpoint) {
    this.#parts = parts
    this.#decisions = decisions
    this.#before = before
    this.#working = new WorkingSet(parts.opened)
    // Of this aggregate nothing is parked any more, and no event of another one will come by.
    this.#folder = new Folder(parts.projection, this.#working, new Map())
    this.#folder.strict = true
    this.#tallies = { ...before.tallies }
    this.#floor = before.floor
  }

  get isParked(): boolean {
    return this.#folder.parkedCount > 0
  }

  async fold(aggregate: string): Promise<number> {
    const [stopped] = await this.#parts.opened.get(parked, [aggregate])
    const waiting = await this.#taken(aggregate)
    for (const [i, { position, error }] of waiting.entries()) {
      if (i % TURN === TURN - 1) await nextTurn()
      this.#count(error === null ? 'waiting' : 'parked', -1)
      await this.#foldAt(position as Position, position === stopped?.position ? (stopped.slice ?? null) : null)
    }
    return waiting.length
  }

  /** An aggregate's letters, which are gone from here on. */
  async #taken(aggregate: string): Promise<LetterDoc[]> {
    const { opened } = this.#parts
    const taken: LetterDoc[] = []
    await this.#around(await opened.count(letters, { index: 'byAggregate', equals: [aggregate] }, MANY), async () => {
      // Not spread into a call, which takes only so many.
      for (const letter of await lettersOf(opened, aggregate)) taken.push(letter)
      await this.#working.load([...taken.map(({ _id }) => ref(letters, _id)), ref(parked, aggregate)])
      for (const { _id } of taken) this.#working.delete(letters, _id)
      this.#working.delete(parked, aggregate)
      this.#working.acceptDrafts()
    })
    return taken
  }

  #around(many: number, work: () => Promise<void>): Promise<void> {
    const { around } = this.#parts
    return around === undefined || many < MANY ? work() : around(work)
  }

  /** `resume` is how far the event had come when it was parked. */
  async #foldAt(position: Position, resume: Slice | null): Promise<void> {
    const [record] = await this.#parts.log.read((position - 1) as Position, 1)
    if (record?.position !== position) return
    const [event] = this.#decisions.applied([{ record, decoded: decode(record) }])
    if (event === undefined) return
    // The checkpoint's own mark is for the event behind it; this one is long past, so the rest of it is one commit.
    const outcome = await this.#folder.fold(event, resume, async () => {
      await nextTurn()
    })
    this.#count(outcome, 1)
    const { decoded } = event
    // Whatever was cached up to now may show what has only just been removed.
    if (outcome === 'applied' && decoded.outcome === 'event' && REMOVALS.has(decoded.event.name)) this.#floor = this.#before.position
  }

  async commit(): Promise<Checkpoint> {
    const { projection, opened } = this.#parts
    const { derived } = projection
    const writes = this.#working.writes()
    const to: Checkpoint = { ...this.#before, tallies: withoutZeros(this.#tallies), floor: this.#floor }
    await this.#around(writes.length, async () => {
      const deriving = derived !== undefined && (await derived.concerns(writes, opened))
      await opened.commit({ from: this.#before, to, writes, ...(deriving ? { derive: (reads) => derived.compute(reads) } : {}) })
    })
    return to
  }

  #count(outcome: Outcome, by: 1 | -1): void {
    this.#tallies[outcome] = (this.#tallies[outcome] ?? 0) + by
  }
}

const withoutZeros = (tallies: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(tallies).filter(([, count]) => count !== 0))
