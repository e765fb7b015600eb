import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { demoLog } from '../../demo/index.js'
import { SeededRandom } from '../../demo/random.js'
import { isFinished, jobStream, parseJobEvent, replay } from '../../src/ask/jobs/job-events.js'
import { readIntegrityReport } from '../../src/compose/live-models.js'
import { StoreUnavailableError } from '../../src/ports/document-store.js'
import { LogUnavailableError, type NewRecord, START } from '../../src/ports/event-log.js'
import type { StreamEvent } from '../../src/ports/event-store.js'
import { lowestPosition } from '../harness/caught-up.js'
import { Serving, spawnVitrine } from '../harness/program.js'
import { sameAsInSequence } from '../harness/sequence-order.js'
import { UnreliablePublisher } from '../support/unreliable-publisher.js'
import { Clients } from './clients.js'
import { type Environment, TeardownStack } from './environment.js'

const CLOCK = fileURLToPath(new URL('clock.js', import.meta.url))
const ROLES = { projector: 'project', standby: 'project', query: 'query', ask: 'ask' } as const
export type Role = keyof typeof ROLES

/** Far longer than anything takes, unless it hangs. */
const TIMEOUT_MS = 120_000

/** A lost event is published again before so many others have been. */
const FOUND_AFTER = 1000

/** The errors that a publisher gets from a full or read-only disk. */
const REFUSAL = /full|I\/O|busy|locked|readonly|read-only|unable to open/i

/** The message of a process that ends because it was started on read-only files. */
const READ_ONLY = /^vitrine serve: .*(cannot write to|readonly|unable to open)/m

/** One installation with each role in its own process, a publisher, and clients that read and ask. */
export class Installation {
  readonly environment: Environment
  readonly clients = new Clients()
  readonly #publisher: UnreliablePublisher<NewRecord>
  readonly #running = new Map<Role, Serving>()
  readonly #teardowns = new TeardownStack()
  /** All processes, also those that have ended. */
  readonly #processes: Serving[] = []
  readonly #publishedIds = new Set<string>()
  refusedAppends = 0
  /** How often a process was started again after it had ended because its files were read-only. */
  restarts = 0
  #pending: NewRecord[] = []
  #publishing: Promise<void> = Promise.resolve()

  constructor(environment: Environment, seed: number) {
    this.environment = environment
    process.once('exit', this.#killAll)
    const events = demoLog({ creators: 300, creations: 3000, seed, webUrl: 'http://localhost' })
    this.#publisher = new UnreliablePublisher(new SeededRandom(seed), events, FOUND_AFTER)
  }

  process(name: Role): Serving {
    const found = this.#running.get(name)
    if (found === undefined) throw new Error(`${name} is not running`)
    return found
  }

  async start(name: Role, shiftMs = 0): Promise<void> {
    const env: Record<string, string> = shiftMs === 0 ? {} : { NODE_OPTIONS: `--import ${CLOCK}`, CLOCK_SHIFT_MS: String(shiftMs) }
    const args = [...this.environment.flags, '--roles', ROLES[name], '--rate-limit-agent', 'off']
    const serving = await Serving.start(this.#teardowns, this.environment.folder, args, env)
    this.#running.set(name, serving)
    this.#processes.push(serving)
    if (name === 'query') this.clients.useServer(serving)
  }

  /** Resolves when the process answers. A signal sent earlier would reach a program that is not loaded yet. */
  async untilAlive(name: Role): Promise<void> {
    for (const deadline = Date.now() + TIMEOUT_MS; ; ) {
      await this.#restartIfEnded(name)
      const { admin, stderr } = this.process(name)
      if (Date.now() > deadline) throw new Error(`${name} does not answer: ${stderr}`)
      const answer = await fetch(`http://127.0.0.1:${admin}/health/live`).catch(() => null)
      if (answer?.ok) return
      await delay(20)
    }
  }

  /** Resolves with the exit code. */
  stop(name: Role, signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown> {
    if (name === 'query') this.clients.interrupt()
    // A deadline, not a sleep: the exit is awaited, and a process that hangs must not hang the run.
    const late = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS, 'nothing: it was told to stop and still runs').unref())
    return Promise.race([this.process(name).end(signal), late])
  }

  async whileFrozen(name: Role, action: () => Promise<unknown>): Promise<void> {
    const serving = this.process(name)
    if (name === 'query') this.clients.interrupt()
    serving.signal('SIGSTOP')
    try {
      await action()
    } finally {
      serving.signal('SIGCONT')
      if (name === 'query') this.clients.useServer(serving)
    }
  }

  /** Publishes more events. Those that the disk refuses are published again later. */
  publish(events: number): Promise<void> {
    this.#publishing = this.#publishing.then(() => this.#publish(events))
    return this.#publishing
  }

  /** What went wrong upstream, and how often. */
  get troubles(): Readonly<Record<string, number>> {
    return this.#publisher.troubles
  }

  /** Publishes until no event is left that was refused, delayed or lost. */
  async publishRest(): Promise<void> {
    await this.#publishing
    this.#queue(this.#publisher.heldBack())
    do await this.publish(1)
    while (this.#pending.length > 0)
  }

  /** How many events the slowest model has not committed yet. Waits for stores that cannot be reached. */
  async lag(): Promise<number> {
    for (;;) {
      try {
        const { last } = await this.environment.log.bounds()
        return last - Math.max(0, await lowestPosition(this.environment.documents))
      } catch (error) {
        if (!(error instanceof StoreUnavailableError || error instanceof LogUnavailableError || REFUSAL.test(String(error)))) throw error
        await delay(100)
      }
    }
  }

  /** Waits until the slowest model is within this many events of the end of the log. */
  async untilLagIsAtMost(events: number): Promise<void> {
    for (const deadline = Date.now() + 180_000; (await this.lag()) > events; await delay(50)) {
      for (const name of this.#running.keys()) await this.#restartIfEnded(name)
      if (Date.now() < deadline) continue
      const said = [...this.#running].map(([name, { stderr }]) => `${name}: ${stderr.slice(-3000)}`)
      throw new Error(`${await this.lag()} events are not projected in three minutes\n${said.join('\n')}`)
    }
  }

  /** What clients found wrong, each with the log lines of the same request. */
  clientFaults(): string[] {
    return this.clients.faults.map((complaint) => {
      const id = /"request_id":"([^"]+)"/.exec(complaint)?.[1]
      const lines = id === undefined ? [] : this.#processes.flatMap(({ stderr }) => stderr.split('\n').filter((line) => line.includes(id)))
      return [complaint, ...lines].join('\n')
    })
  }

  /** What is wrong with the log. It must hold what was published, in order, each event once. */
  async logFaults(): Promise<string[]> {
    const ids = (await this.environment.log.read(START, Number.MAX_SAFE_INTEGER)).map(({ id }) => id)
    const published = [...this.#publishedIds]
    const at = published.findIndex((id, index) => ids[index] !== id)
    if (at < 0 && ids.length === published.length) return []
    return [`the log has ${ids.length} events of ${published.length} published, and is another one from ${at} on`]
  }

  /** What is wrong with the accepted questions. Each must have ended exactly once; `ended` counts how. */
  async jobFaults(): Promise<{ faults: string[]; ended: Record<string, number> }> {
    const faults: string[] = []
    const ended: Record<string, number> = {}
    for (const id of this.clients.jobs) {
      const { status, reason = '' } = await this.clients.outcomeOf(id)
      const history = await this.environment.jobs.read(jobStream(id))
      const ends = history.filter((event) => ['completed', 'failed'].includes(parseJobEvent(event)?.type ?? ''))
      const job = replay(history)
      if (ends.length !== 1 || job === null || !isFinished(job) || job.status !== status)
        faults.push(`job ${id} is ${status}, ends ${ends.length} times`)
      const how = status === 'failed' ? `failed: ${reason} (${[...new Set(history.flatMap(failureReason))].join('; ')})` : status
      ended[how] = (ended[how] ?? 0) + 1
    }
    return { faults, ended }
  }

  /**
   * What differs from a clean replay of the log, or from the same events in order, what was parked, and what is still missing:
   * nothing should be.
   */
  async modelFaults(): Promise<string[]> {
    const { folder, flags, documents, log } = this.environment
    let verified = await spawnVitrine(['verify', 'all', '--data-dir', folder, ...flags])
    // The servers may still be starting again.
    for (let again = 1; again <= 3 && verified.stderr.includes('does not answer'); again++)
      verified = await spawnVitrine(['verify', 'all', '--data-dir', folder, ...flags])
    const { code, stdout, stderr } = verified
    const faults = code === 0 && !stdout.includes('parked') ? [] : [`verify ends with ${code}: ${stdout}${stderr}`]
    await sameAsInSequence(documents, log).catch((error: unknown) => faults.push(String(error)))
    const integrity = await readIntegrityReport(documents)
    if (integrity?.gaps !== 0 || integrity.conflicts !== 0) faults.push(`integrity: ${JSON.stringify(integrity)}`)
    return faults
  }

  async close(): Promise<void> {
    await this.clients.stop()
    await this.#teardowns.run()
    process.off('exit', this.#killAll)
  }

  /** When this process is stopped in the middle, no child process keeps running. */
  readonly #killAll = (): void => {
    for (const serving of this.#running.values()) serving.signal('SIGKILL')
  }

  /** As systemd or a container runtime would. A process that ended for any other reason than read-only files is a bug. */
  async #restartIfEnded(name: Role): Promise<void> {
    const { isRunning, stderr } = this.process(name)
    if (isRunning) return
    if (!READ_ONLY.test(stderr)) throw new Error(`${name} has ended: ${stderr}`)
    this.restarts += 1
    await this.start(name)
  }

  async #publish(events: number): Promise<void> {
    while (this.#pending.length < events && !this.#publisher.isDone) this.#queue(this.#publisher.next(1))
    try {
      await this.environment.log.append(this.#pending)
      this.#pending = []
    } catch (error) {
      if (!REFUSAL.test(String(error))) throw error
      this.refusedAppends += 1
      await delay(20)
    }
  }

  /** A repeated event gets another id, as if two publishers had sent it: the log does not take the same one twice. */
  #queue(events: readonly NewRecord[]): void {
    for (const event of events) {
      const id = this.#publishedIds.has(event.id) ? `${event.id} again ${this.#publishedIds.size}` : event.id
      this.#publishedIds.add(id)
      this.#pending.push({ ...event, id })
    }
  }
}

/** Why an attempt at a question failed. */
function failureReason(recorded: StreamEvent): string[] {
  const event = parseJobEvent(recorded)
  if (event?.type === 'attempt_failed') return [event.data.reason]
  return event?.type === 'lease_expired' ? ['its worker was gone'] : []
}
