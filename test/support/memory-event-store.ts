import type { Position } from '../../src/ports/event-log.js'
import {
  type CategoryEvent,
  categoryOf,
  type EventStore,
  type EventStoreOptions,
  type ExpectedRevision,
  type NewStreamEvent,
  type OnReached,
  type StreamEvent,
  type StreamName,
  WrongRevisionError,
} from '../../src/ports/event-store.js'

/** An event store without a disk. Everything that was appended stays in `history`, also what has expired. */
export class MemoryEventStore implements EventStore {
  readonly history: CategoryEvent[]
  readonly #maxAges: NonNullable<EventStoreOptions['maxAges']>
  readonly #deleted: Set<string>
  readonly #waiting: Set<() => void>
  readonly #now: () => number
  readonly #closing = new AbortController()

  constructor({ maxAges = {}, now = () => Date.now() }: EventStoreOptions = {}, shared?: MemoryEventStore) {
    this.#now = now
    this.history = shared?.history ?? []
    this.#maxAges = maxAges
    this.#deleted = shared === undefined ? new Set() : shared.#deleted
    this.#waiting = shared === undefined ? new Set() : shared.#waiting
  }

  /** The same store, as another process has it open. */
  another(): MemoryEventStore {
    return new MemoryEventStore({ maxAges: this.#maxAges, now: this.#now }, this)
  }

  async append(stream: StreamName, events: readonly NewStreamEvent[], expected: ExpectedRevision): Promise<number> {
    categoryOf(stream)
    if (events.length === 0) throw new RangeError('there is nothing to append')
    const before = this.history.filter((event) => event.stream === stream)
    const last = before.at(-1)?.revision ?? null
    const from = expected === 'no stream' ? 0 : expected + 1
    if (events.every(({ id }, i) => before[from + i]?.id === id)) return from + events.length - 1
    if (from !== before.length) throw new WrongRevisionError(stream, expected, last)
    for (const [i, event] of events.entries()) {
      const position = (this.history.length + 1) as Position
      this.history.push({ ...structuredClone(event), stream, revision: before.length + i, recordedAt: this.#now(), position })
    }
    for (const wake of [...this.#waiting]) wake()
    return before.length + events.length - 1
  }

  async read(stream: StreamName, from = 0): Promise<StreamEvent[]> {
    categoryOf(stream)
    const found = this.history.filter((event) => event.stream === stream && event.revision >= from && this.#isKept(event))
    return found.map(({ position: _, ...event }) => event)
  }

  async *subscribe(category: string, after: Position, signal: AbortSignal, onReached?: OnReached): AsyncGenerator<CategoryEvent> {
    const over = AbortSignal.any([signal, this.#closing.signal])
    // Positions are places in the history, counted from one.
    for (let place = Number(after); !over.aborted; ) {
      const event = this.history[place]
      if (event === undefined) {
        onReached?.(place as Position)
        await this.#change(over)
      } else {
        place += 1
        if (categoryOf(event.stream) === category && this.#isKept(event)) yield event
      }
    }
  }

  async delete(stream: StreamName): Promise<void> {
    this.#deleted.add(stream)
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }

  #isKept({ stream, recordedAt }: StreamEvent): boolean {
    if (this.#deleted.has(stream)) return false
    const seconds = this.#maxAges[categoryOf(stream)]
    return seconds === undefined || this.#now() - recordedAt < seconds * 1000
  }

  #change(over: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        over.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      over.addEventListener('abort', done)
    })
  }
}
