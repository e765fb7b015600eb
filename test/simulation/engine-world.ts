import fc from 'fast-check'
import type { SeededRandom } from '../../demo/random.js'
import { listParked } from '../../src/engine/dead-letters/dead-letter-queries.js'
import { RedactionError } from '../../src/engine/erasure/check-erased.js'
import { Projector } from '../../src/engine/leader/projector.js'
import { type Order, RequestStore } from '../../src/engine/requests/request-store.js'
import { type Position, START } from '../../src/events/index.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { among, EVERYONE } from '../reference-model/arbitrary-events.js'
import { PEOPLE } from '../reference-model/arbitrary-fields.js'
import { anyPoison, logOf } from '../reference-model/arbitrary-log.js'
import { projections } from '../support/built-in-models.js'
import { decode } from '../support/decode.js'
import { MemoryEventLog } from '../support/memory-log.js'
import { type MemoryStore, memoryStore } from '../support/memory-store.js'
import { redactCreator } from '../support/redact.js'
import { UnreliablePublisher } from '../support/unreliable-publisher.js'
import { type FaultRates, type Faults, NO_FAULTS, UnreliableConnection, unreliableLog, unreliableStore } from './unreliable-stores.js'
import type { Machine, VirtualTime } from './virtual-time.js'

const silent = { info() {}, warn() {}, error() {} }
const MOST_MACHINES = 3

/** A log that grows, shared stores, and projectors that start and die. */
export class EngineWorld {
  readonly log = new MemoryEventLog()
  readonly store = memoryStore()
  readonly requests = new RequestStore(this.store)
  readonly faults: Faults = {}
  readonly records: LogRecord[] = []
  /** Aggregates with a poison event that was redacted: its envelope now looks like that of a good one. */
  readonly redactedPoison = new Set<string>()
  faultRates: FaultRates = NO_FAULTS
  #machines: Machine[] = []
  /** The store handle of each machine; closed when the machine dies. */
  readonly #handles = new Map<Machine, MemoryStore>()
  #started = 0
  readonly #time: VirtualTime
  readonly #dice: SeededRandom
  readonly #publisher: UnreliablePublisher<LogRecord>
  readonly #poison: LogRecord[]

  constructor(time: VirtualTime, dice: SeededRandom, seed: number, length: number) {
    this.#time = time
    this.#dice = dice
    const { settling, anything } = among(EVERYONE)
    const [settled = []] = fc.sample(settling, { seed, numRuns: 1 })
    const { records } = logOf([...settled, ...fc.sample(anything, { seed, numRuns: length })])
    this.#publisher = new UnreliablePublisher(dice, records, records.length)
    this.#poison = fc.sample(anyPoison, { seed, numRuns: 100 })
  }

  /** One random thing: new events, a fault, or an operator's request. */
  async happen(): Promise<void> {
    const deeds: [number, () => void | Promise<void>][] = [
      [30, () => this.#append(this.#publisher.next(1 + this.#dice.below(4)))],
      [2, () => this.#append(this.#publisher.again())],
      [2, () => this.#publishPoison()],
      [5, () => this.kill()],
      [8, () => this.start()],
      [4, () => this.#freeze()],
      [8, () => this.#thaw()],
      [2, () => this.#skew()],
      [4, () => this.#ask({ kind: 'rebuild', maxRate: this.#dice.pick([null, null, 20]) })],
      [2, () => this.#ask({ kind: 'rollback' })],
      [2, () => this.#ask({ kind: 'abort' })],
      [1, () => this.#ask({ kind: 'prune' })],
      [1, () => this.#ask({ kind: 'replay', aggregate: null, limit: this.#dice.pick([null, 1]) })],
      [1, () => this.discardPoison(1)],
      [1, () => this.#redact()],
    ]
    let throwOf = this.#dice.below(deeds.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, deed] of deeds) {
      if (throwOf < weight) return deed()
      throwOf -= weight
    }
  }

  /** Starts another projector, unless there are enough. */
  start(): void {
    if (this.#machines.length >= MOST_MACHINES) return
    this.#started += 1
    const machine: Machine = { name: `m${this.#started}`, state: 'running', skew: 0 }
    const connection = new UnreliableConnection(this.#time, this.#dice, machine, () => this.faultRates, this.faults)
    this.#machines.push(machine)
    const handle = this.store.another()
    this.#handles.set(machine, handle)
    const balanceLeadership = this.#dice.chance(1, 2)
    this.#time.as(machine, () => {
      new Projector(projections, unreliableLog(this.log, connection), unreliableStore(handle, connection), silent, {
        balanceLeadership,
      }).start()
    })
  }

  /** Ends all faults, and makes sure that a projector runs. */
  calm(): void {
    this.faultRates = NO_FAULTS
    for (const machine of this.#machines) Object.assign(machine, { state: 'running', skew: 0 })
    if (this.#machines.length === 0) this.start()
  }

  kill(): void {
    const [machine] = this.#machines.splice(this.#dice.below(Math.max(1, this.#machines.length)), 1)
    if (machine === undefined) return
    machine.state = 'dead'
    // A dead machine needs no notifications; they would only delay the machines that run.
    void this.#handles.get(machine)?.close()
    this.#handles.delete(machine)
    this.#count('killed')
  }

  /** Discards up to so many of the events that cannot be decoded, wherever they are parked. */
  async discardPoison(most = Number.POSITIVE_INFINITY): Promise<number> {
    let decided = 0
    for (const { name } of projections) {
      for (const { position } of await listParked(this.store, name)) {
        const record = this.records.find((each) => each.position === position)
        if (decided >= most || record === undefined || decode(record).outcome === 'event') continue
        decided += 1
        await this.#ask({ kind: 'discard', position, reason: 'simulated' }, name)
      }
    }
    return decided
  }

  /** What went wrong upstream. */
  get troubles(): Readonly<Record<string, number>> {
    return this.#publisher.troubles
  }

  /** Publishes everything that was delayed or lost. */
  publishRest(): void {
    this.#append([...this.#publisher.rest()])
  }

  #publishPoison(): void {
    const record = this.#publisher.isDone ? undefined : this.#poison.pop()
    if (record === undefined) return
    this.#count('poison')
    this.#append([record])
  }

  /** Each delivery gets its own id and the next position; some positions are left out, as JetStream does after a deletion. */
  #append(records: readonly LogRecord[]): void {
    if (records.length === 0) return
    let last = this.records.at(-1)?.position ?? 0
    const delivered = records.map((record) => {
      last += this.#dice.chance(1, 10) ? 2 : 1
      return { ...record, id: `${record.id}@${last}`, position: last as Position }
    })
    this.records.push(...delivered)
    this.log.extend(delivered)
  }

  #freeze(): void {
    const machine = this.#machines[this.#dice.below(MOST_MACHINES)]
    if (machine?.state !== 'running') return
    machine.state = 'frozen'
    this.#count('frozen')
  }

  #thaw(): void {
    for (const machine of this.#machines) if (machine.state === 'frozen' && this.#dice.chance(1, 2)) machine.state = 'running'
  }

  #skew(): void {
    const machine = this.#machines[this.#dice.below(MOST_MACHINES)]
    if (machine === undefined) return
    machine.skew = (this.#dice.below(7) - 3) * 3_600_000
    this.#count('clock skewed')
  }

  async #ask(order: Order, name?: string): Promise<void> {
    const { name: projection, version } = projections.find((each) => each.name === name) ?? this.#dice.pick(projections)
    this.#count(order.kind)
    await this.requests.submit(projection, version, order)
  }

  async #redact(): Promise<void> {
    try {
      await redactCreator(this.log, this.store, projections, this.#dice.pick(PEOPLE), () => {})
      await this.#refresh()
      this.#count('redacted')
    } catch (error) {
      if (!(error instanceof RedactionError)) throw error
    }
  }

  async #refresh(): Promise<void> {
    const before = this.records.splice(0)
    this.records.push(...(await this.log.read(START, Number.MAX_SAFE_INTEGER)))
    for (const [i, record] of before.entries()) {
      const decoded = decode(record)
      const isRedacted = record.payload !== this.records[i]?.payload
      if (isRedacted && decoded.outcome === 'poison' && decoded.arrival !== null) this.redactedPoison.add(record.subject)
    }
  }

  #count(what: string): void {
    this.faults[what] = (this.faults[what] ?? 0) + 1
  }
}
