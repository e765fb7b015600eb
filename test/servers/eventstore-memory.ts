/** The streams of the EventStoreDB stand-in in memory, and the rules by which it accepts events. */

export interface Proposed {
  id: string
  type: string
  data: Buffer
}

export interface Recorded extends Proposed {
  stream: string
  revision: number
  /** Position in `$all`. */
  position: number
  recordedAt: number
}

/** A revision, -1 for a stream that does not exist. */
export type Expected = number | 'any'

export class WrongVersion extends Error {
  constructor(readonly actual: number | null) {
    super('wrong expected version')
  }
}

export class EventStoreMemory {
  readonly all: Recorded[] = []
  readonly #streams = new Map<string, Recorded[]>()
  readonly #listeners = new Set<() => void>()
  /** Lets events expire without waiting. */
  clockAheadMs = 0

  append(stream: string, events: readonly Proposed[], expected: Expected): { revision: number; position: number } {
    const before = this.#streams.get(stream) ?? []
    const last = before.length - 1
    const repeated = this.#repeat(before, events, expected)
    if (repeated !== null) return repeated
    if (expected !== 'any' && expected !== last) throw new WrongVersion(last < 0 ? null : last)
    const recorded = events.map((event, i) => ({
      ...event,
      stream,
      revision: last + 1 + i,
      // Positions in the real log are byte offsets: they grow, with gaps.
      position: (this.all.at(-1)?.position ?? 0) + 100 * (i + 1),
      recordedAt: this.#now(),
    }))
    this.all.push(...recorded)
    this.#streams.set(stream, [...before, ...recorded])
    for (const listener of this.#listeners) listener()
    return placeOf(recorded)
  }

  /** What may still be read of a stream; `null` when there is no such stream. */
  stream(name: string): Recorded[] | null {
    const events = this.#streams.get(name)
    if (events === undefined) return null
    const maxAge = this.#maxAge(name)
    return maxAge === null ? events : events.filter(({ recordedAt }) => recordedAt > this.#now() - maxAge * 1000)
  }

  /** `$all` shows it until a scavenge. */
  delete(stream: string): void {
    this.#streams.delete(stream)
  }

  after(position: number): Recorded[] {
    return this.all.slice(this.all.findLastIndex((event) => event.position <= position) + 1)
  }

  /** Calls the listener after every append, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #now(): number {
    return Date.now() + this.clockAheadMs
  }

  #maxAge(stream: string): number | null {
    const newest = this.#streams.get(`$$${stream}`)?.at(-1)
    return newest === undefined ? null : (JSON.parse(newest.data.toString()).$maxAge ?? null)
  }

  /** A repeated append: the same events are already there at the expected revision, and are not written again. */
  #repeat(before: readonly Recorded[], events: readonly Proposed[], expected: Expected) {
    const first = expected === 'any' ? before.findIndex(({ id }) => id === events[0]?.id) : expected + 1
    const written = first < 0 ? [] : before.slice(first, first + events.length)
    if (written.length < events.length || written.some(({ id }, i) => id !== events[i]?.id)) return null
    return placeOf(written)
  }
}

function placeOf(events: readonly Recorded[]): { revision: number; position: number } {
  const last = events.at(-1)
  if (last === undefined) throw new Error('an append has at least one event')
  return { revision: last.revision, position: last.position }
}
