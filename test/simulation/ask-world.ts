import type { SeededRandom } from '../../demo/random.js'
import { AskJobs } from '../../src/ask/jobs/ask-jobs.js'
import { isFinished, jobStream, MAX_AGES, parseJobEvent, replay } from '../../src/ask/jobs/job-events.js'
import { JobFollower } from '../../src/ask/jobs/job-follower.js'
import { MAX_ATTEMPTS } from '../../src/ask/jobs/job-lifecycle.js'
import { AskWorker } from '../../src/ask/jobs/worker.js'
import { toQuestion } from '../../src/ask/request.js'
import type { AskResponse } from '../../src/ask/response.js'
import { StoreUnavailableError } from '../../src/ports/document-store.js'
import { MemoryEventStore } from '../support/memory-event-store.js'
import { NOBODY_REMOVED } from '../support/nobody-removed.js'
import { unreliableEventStore } from './unreliable-event-store.js'
import { type FaultRates, type Faults, NO_FAULTS, UnreliableConnection } from './unreliable-stores.js'
import type { Machine, VirtualTime } from './virtual-time.js'

const silent = { info() {}, warn() {}, error() {} } as unknown as ConstructorParameters<typeof AskWorker>[2]
const MOST_WORKERS = 3
const ANSWER = { answer: 'simulated' } as unknown as AskResponse

/** A process that submits questions, and workers that start and die. */
export class AskWorld {
  readonly store = new MemoryEventStore({ maxAges: MAX_AGES })
  readonly faults: Faults = {}
  /** Jobs whose submission was acknowledged. */
  readonly accepted = new Set<string>()
  faultRates: FaultRates = NO_FAULTS
  readonly #submitter: Machine = { name: 'submitter', state: 'running', skew: 0 }
  readonly #jobs: AskJobs
  readonly #finished = new Set<string>()
  #workers: Machine[] = []
  #started = 0
  readonly #time: VirtualTime
  readonly #dice: SeededRandom

  constructor(time: VirtualTime, dice: SeededRandom) {
    this.#time = time
    this.#dice = dice
    this.#jobs = new AskJobs(unreliableEventStore(this.store, this.#connectionOf(this.#submitter)), NOBODY_REMOVED)
  }

  happen(): void {
    const deeds: [number, () => void][] = [
      [20, () => this.#ask()],
      [4, () => this.#kill()],
      [6, () => this.startWorker()],
      [3, () => this.#freeze()],
      [6, () => this.#thaw()],
      [2, () => this.#skew()],
    ]
    let throwOf = this.#dice.below(deeds.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, deed] of deeds) {
      if (throwOf < weight) {
        deed()
        return
      }
      throwOf -= weight
    }
  }

  startWorker(): void {
    if (this.#workers.length >= MOST_WORKERS) return
    this.#started += 1
    const machine: Machine = { name: `w${this.#started}`, state: 'running', skew: 0 }
    this.#workers.push(machine)
    this.#time.as(machine, () => {
      const jobs = new JobFollower(unreliableEventStore(this.store, this.#connectionOf(machine)), silent)
      new AskWorker(jobs, () => this.#answer(), silent).start()
      jobs.start()
    })
  }

  calm(): void {
    this.faultRates = NO_FAULTS
    for (const machine of [this.#submitter, ...this.#workers]) Object.assign(machine, { state: 'running', skew: 0 })
    if (this.#workers.length === 0) this.startWorker()
  }

  /** A job that is still open; `null` when every job has ended. */
  unfinished(): string | null {
    for (const [stream, history] of this.#histories()) {
      if (this.#finished.has(stream)) continue
      const job = replay(history)
      if (job === null || !isFinished(job)) return `${stream} is ${job?.status ?? 'nothing'} after ${history.length} events`
      this.#finished.add(stream)
    }
    return null
  }

  /** Throws if an accepted job is lost, ends twice, goes on after its end, or has too many attempts. */
  check(): void {
    const histories = this.#histories()
    for (const id of this.accepted) if (!histories.has(jobStream(id))) throw new Error(`${id} was accepted, and is not there`)
    for (const [stream, history] of histories) {
      const types = history.map((event) => parseJobEvent(event)?.type ?? 'unreadable')
      const told = `${stream}: ${types.join(', ')}`
      const ends = types.filter((type) => type === 'completed' || type === 'failed').length
      if (ends > 1) throw new Error(`ends ${ends} times: ${told}`)
      if (ends === 1 && !['completed', 'failed'].includes(types.at(-1) ?? '')) throw new Error(`goes on after its end: ${told}`)
      if (types.filter((type) => type === 'started').length > MAX_ATTEMPTS) throw new Error(`is tried too often: ${told}`)
      if (types.includes('unreadable')) throw new Error(`cannot be read: ${told}`)
    }
  }

  #histories() {
    const histories = new Map<string, typeof this.store.history>()
    for (const event of this.store.history) {
      if (!event.stream.startsWith(jobStream(''))) continue
      const history = histories.get(event.stream)
      if (history === undefined) histories.set(event.stream, [event])
      else history.push(event)
    }
    return histories
  }

  #ask(): void {
    this.#count('asked')
    this.#time.as(this.#submitter, () => {
      this.#jobs.submit(toQuestion({ query: 'What is popular?' })).then(
        ({ id }) => this.accepted.add(id),
        () => this.#count('not accepted'),
      )
    })
  }

  /** Answers fast, slowly, too late or never, or fails. */
  async #answer(): Promise<AskResponse> {
    await this.#time.pause(this.#dice.below(this.#dice.pick([100, 5000, 40_000])))
    if (this.faultRates === NO_FAULTS) return ANSWER
    if (this.#dice.chance(1, 20)) await new Promise(() => {})
    if (this.#dice.chance(1, 10)) throw new StoreUnavailableError('simulated: the models are away')
    if (this.#dice.chance(1, 10)) throw new Error('simulated: no answer')
    return ANSWER
  }

  #kill(): void {
    const [machine] = this.#workers.splice(this.#dice.below(Math.max(1, this.#workers.length)), 1)
    if (machine === undefined) return
    machine.state = 'dead'
    this.#count('killed')
  }

  #freeze(): void {
    const machine = this.#workers[this.#dice.below(MOST_WORKERS)]
    if (machine?.state !== 'running') return
    machine.state = 'frozen'
    this.#count('frozen')
  }

  #thaw(): void {
    for (const machine of this.#workers) if (machine.state === 'frozen' && this.#dice.chance(1, 2)) machine.state = 'running'
  }

  #skew(): void {
    const machine = this.#dice.pick([this.#submitter, ...this.#workers])
    machine.skew = (this.#dice.below(7) - 3) * 3_600_000
    this.#count('clock skewed')
  }

  #connectionOf(machine: Machine): UnreliableConnection {
    return new UnreliableConnection(this.#time, this.#dice, machine, () => this.faultRates, this.faults)
  }

  #count(what: string): void {
    this.faults[what] = (this.faults[what] ?? 0) + 1
  }
}
