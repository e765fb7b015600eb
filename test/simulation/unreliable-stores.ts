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

/** How many of 1,000 calls fail or are slow. */
export interface FaultRates {
  failing: number
  slow: number
}

export const NO_FAULTS: FaultRates = { failing: 0, slow: 0 }

export type Faults = Record<string, number>

/** The connection from a machine to its stores: every call takes time, and may fail before or after it took effect. */
export class UnreliableConnection {
  readonly #time: VirtualTime
  readonly #dice: SeededRandom
  readonly #machine: Machine
  readonly #rates: () => FaultRates
  readonly #faults: Faults

  constructor(time: VirtualTime, dice: SeededRandom, machine: Machine, rates: () => FaultRates, faults: Faults) {
    this.#time = time
    this.#dice = dice
    this.#machine = machine
    this.#rates = rates
    this.#faults = faults
  }

  /** A call without effect. */
  async read<T>(what: string, look: () => Promise<T>, failure: new (message: string) => Error = StoreUnavailableError): Promise<T> {
    await this.#delay()
    this.#mayFail(`${what} fails`, failure)
    return this.#time.as(WORLD, look)
  }

  /** A call that changes something; its answer may be lost on the way back. */
  async write<T>(what: string, change: () => Promise<T>): Promise<T> {
    await this.#delay()
    this.#mayFail(`${what} fails before`, StoreUnavailableError)
    const result = await this.#time.as(WORLD, change)
    await this.#delay()
    this.#mayFail(`${what} fails after`, StoreUnavailableError)
    return result
  }

  /** A callback from the store, run on the machine. */
  listener(listen: () => void): () => void {
    return () => {
      if (this.#machine.state !== 'dead') this.#time.as(this.#machine, () => setImmediate(listen))
    }
  }

  async #delay(): Promise<void> {
    const slow = this.#dice.chance(this.#rates().slow, 1000)
    await this.#time.pause(slow ? this.#dice.below(5000) : this.#dice.below(3))
  }

  #mayFail(what: string, failure: new (message: string) => Error): void {
    if (!this.#dice.chance(this.#rates().failing, 1000)) return
    this.#faults[what] = (this.#faults[what] ?? 0) + 1
    throw new failure(`simulated: ${what}`)
  }
}

export function unreliableLog(log: EventLog, connection: UnreliableConnection): EventLog {
  const unreachable = LogUnavailableError
  return {
    read: (after, limit) => connection.read('reading the log', () => log.read(after, limit), unreachable),
    readSubjects: (subjects) => log.readSubjects(subjects),
    bounds: () => connection.read('asking for bounds', () => log.bounds(), unreachable),
    append: (records, options) => connection.write('appending', () => log.append(records, options)),
    redact: (replacements) => connection.write('redacting', () => log.redact(replacements)),
    close: () => log.close(),
    async next(after, limit, signal) {
      await connection.read('waiting', async () => {}, unreachable)
      const records = await log.next(after, limit, signal)
      await connection.read('waking', async () => {}, unreachable)
      return records
    },
  }
}

export function unreliableStore(store: DocumentStore, connection: UnreliableConnection): DocumentStore {
  return {
    projections: () => connection.read('listing projections', () => store.projections()),
    generations: (projection) => connection.read('listing generations', () => store.generations(projection)),
    createGeneration: (...args) => connection.write('making a generation', () => store.createGeneration(...args)),
    openGeneration: async (generation: Generation, collections: readonly Collection[]) =>
      unreliableGeneration(await connection.read('opening a generation', () => store.openGeneration(generation, collections)), connection),
    promote: (...args) => connection.write('a switch-over', () => store.promote(...args)),
    demote: (...args) => connection.write('retiring a model', () => store.demote(...args)),
    dropGeneration: (...args) => connection.write('dropping a generation', () => store.dropGeneration(...args)),
    controlRecords: (kind) => connection.read('reading control records', () => store.controlRecords(kind)),
    putControlRecord: (record) => connection.write('writing a control record', () => store.putControlRecord(record)),
    deleteControlRecord: (kind, id) => connection.write('deleting a control record', () => store.deleteControlRecord(kind, id)),
    acquireLease: (...args) => connection.write('taking a lease', () => store.acquireLease(...args)),
    renewLease: (...args) => connection.write('renewing a lease', () => store.renewLease(...args)),
    releaseLease: (...args) => connection.write('giving a lease back', () => store.releaseLease(...args)),
    leads: () => connection.read('reading the leads', () => store.leads()),
    snapshot: (projections, options) => connection.read('a snapshot', () => store.snapshot(projections, options)),
    onChange: (listener) => store.onChange(connection.listener(listener)),
    onControlRecord: (listener) => store.onControlRecord(connection.listener(listener)),
    close: () => store.close(),
  }
}

function unreliableGeneration(opened: GenerationStore, connection: UnreliableConnection): GenerationStore {
  return {
    generation: opened.generation,
    get: <D extends Doc>(collection: Collection<D>, ids: readonly string[]) =>
      connection.read('reading documents', () => opened.get(collection, ids)),
    range: <D extends Doc>(collection: Collection<D>, query: RangeQuery) =>
      connection.read('reading a range', () => opened.range(collection, query)),
    ids: (collection, query) => connection.read('reading ids', () => opened.ids(collection, query)),
    count: (collection: Collection, query: IndexQuery, atMost?: number) =>
      connection.read('counting', () => opened.count(collection, query, atMost)),
    checkpoint: () => connection.read('reading a checkpoint', () => opened.checkpoint()),
    fence: (epoch) => connection.write('fencing', () => opened.fence(epoch)),
    commit: (commit) => connection.write('a commit', () => opened.commit(commit)),
    async buildIndexes(around = (step) => step()) {
      await around(() => connection.write('building indexes', () => opened.buildIndexes()))
    },
    close: () => opened.close(),
  }
}
