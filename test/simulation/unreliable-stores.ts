import type { SeededRandom } from '../../demo/random.js'
import {
  type Collection,
  type Doc,
  type DocumentStore,
  type Generation,
  type GenerationStore,
  type IndexQuery,
  type RangeQuery,
  StoreUnavailableError,
} from '../../src/ports/document-store.js'
import { type EventLog, LogUnavailableError } from '../../src/ports/event-log.js'
import { type Machine, type VirtualTime, WORLD } from './virtual-time.js'

/** How rough things are, in thousandths of all calls. */
export interface Weather {
  failing: number
  slow: number
}

export const CALM: Weather = { failing: 0, slow: 0 }

export type Faults = Record<string, number>

/** The way from a machine to its stores: every call takes time, may fail, and may fail although it was carried out. */
export class Line {
  readonly #time: VirtualTime
  readonly #dice: SeededRandom
  readonly #machine: Machine
  readonly #weather: () => Weather
  readonly #faults: Faults

  constructor(time: VirtualTime, dice: SeededRandom, machine: Machine, weather: () => Weather, faults: Faults) {
    this.#time = time
    this.#dice = dice
    this.#machine = machine
    this.#weather = weather
    this.#faults = faults
  }

  /** Looks something up. */
  async read<T>(what: string, look: () => Promise<T>, failure: new (message: string) => Error = StoreUnavailableError): Promise<T> {
    await this.#travel()
    this.#perhapsFail(`${what} fails`, failure)
    return this.#time.as(WORLD, look)
  }

  /** Changes something: the answer may get lost on the way back. */
  async write<T>(what: string, change: () => Promise<T>): Promise<T> {
    await this.#travel()
    this.#perhapsFail(`${what} fails before`, StoreUnavailableError)
    const result = await this.#time.as(WORLD, change)
    await this.#travel()
    this.#perhapsFail(`${what} fails after`, StoreUnavailableError)
    return result
  }

  /** Called back by the store. */
  listener(listen: () => void): () => void {
    return () => {
      if (this.#machine.state !== 'dead') this.#time.as(this.#machine, () => setImmediate(listen))
    }
  }

  async #travel(): Promise<void> {
    const slow = this.#dice.chance(this.#weather().slow, 1000)
    await this.#time.pause(slow ? this.#dice.below(5000) : this.#dice.below(3))
  }

  #perhapsFail(what: string, failure: new (message: string) => Error): void {
    if (!this.#dice.chance(this.#weather().failing, 1000)) return
    this.#faults[what] = (this.#faults[what] ?? 0) + 1
    throw new failure(`simulated: ${what}`)
  }
}

export function shakyLog(log: EventLog, line: Line): EventLog {
  const unreachable = LogUnavailableError
  return {
    read: (after, limit) => line.read('reading the log', () => log.read(after, limit), unreachable),
    bounds: () => line.read('asking for bounds', () => log.bounds(), unreachable),
    append: (records, options) => line.write('appending', () => log.append(records, options)),
    redact: (replacements) => line.write('redacting', () => log.redact(replacements)),
    close: () => log.close(),
    async next(after, limit, signal) {
      await line.read('waiting', async () => {}, unreachable)
      const records = await log.next(after, limit, signal)
      await line.read('waking', async () => {}, unreachable)
      return records
    },
  }
}

export function shakyStore(store: DocumentStore, line: Line): DocumentStore {
  return {
    generations: (projection) => line.read('listing generations', () => store.generations(projection)),
    createGeneration: (...args) => line.write('making a generation', () => store.createGeneration(...args)),
    openGeneration: async (generation: Generation, collections: readonly Collection[]) =>
      shakyGeneration(await line.read('opening a generation', () => store.openGeneration(generation, collections)), line),
    promote: (...args) => line.write('a flip', () => store.promote(...args)),
    dropGeneration: (...args) => line.write('dropping a generation', () => store.dropGeneration(...args)),
    controlRecords: (kind) => line.read('reading notes', () => store.controlRecords(kind)),
    putControlRecord: (note) => line.write('writing a note', () => store.putControlRecord(note)),
    deleteControlRecord: (kind, id) => line.write('dropping a note', () => store.deleteControlRecord(kind, id)),
    acquireLease: (...args) => line.write('taking a lease', () => store.acquireLease(...args)),
    renewLease: (...args) => line.write('renewing a lease', () => store.renewLease(...args)),
    releaseLease: (lease) => line.write('giving a lease back', () => store.releaseLease(lease)),
    leases: () => line.read('reading leases', () => store.leases()),
    snapshot: (projections, options) => line.read('a snapshot', () => store.snapshot(projections, options)),
    onChange: (listener) => store.onChange(line.listener(listener)),
    onControlRecord: (listener) => store.onControlRecord(line.listener(listener)),
    close: () => store.close(),
  }
}

function shakyGeneration(opened: GenerationStore, line: Line): GenerationStore {
  return {
    generation: opened.generation,
    get: <D extends Doc>(collection: Collection<D>, ids: readonly string[]) =>
      line.read('reading documents', () => opened.get(collection, ids)),
    range: <D extends Doc>(collection: Collection<D>, query: RangeQuery) =>
      line.read('reading a range', () => opened.range(collection, query)),
    ids: (collection, query) => line.read('reading ids', () => opened.ids(collection, query)),
    count: (collection: Collection, query: IndexQuery, atMost?: number) =>
      line.read('counting', () => opened.count(collection, query, atMost)),
    checkpoint: () => line.read('reading a checkpoint', () => opened.checkpoint()),
    fence: (epoch) => line.write('fencing', () => opened.fence(epoch)),
    commit: (commit) => line.write('a commit', () => opened.commit(commit)),
    async buildIndexes(around = (step) => step()) {
      await around(() => line.write('building indexes', () => opened.buildIndexes()))
    },
    close: () => opened.close(),
  }
}
