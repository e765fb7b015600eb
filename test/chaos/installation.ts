import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { demoLog } from '../../demo/index.js'
import { isFinished, jobStream, parseJobEvent, replay } from '../../src/ask/jobs/job-events.js'
import { StoreUnavailableError } from '../../src/ports/document-store.js'
import { LogUnavailableError, type NewRecord, START } from '../../src/ports/event-log.js'
import type { StreamEvent } from '../../src/ports/event-store.js'
import { lowestPosition } from '../harness/caught-up.js'
import { Serving, spawnVitrine } from '../harness/program.js'
import { Guests } from './clients.js'
import { Endings, type Site } from './environment.js'

const CLOCK = fileURLToPath(new URL('clock.js', import.meta.url))
const ROLES = { projector: 'project', standby: 'project', query: 'query', ask: 'ask' } as const
export type Member = keyof typeof ROLES

/** Far more than anything takes that does not hang. */
const PATIENCE_MS = 120_000

/** What a disk without room, or one that must not be written to, says to a publisher. */
const REFUSAL = /full|I\/O|busy|locked|readonly|read-only|unable to open/i

/** What a process says that ends because it was started on files which it must not write to. */
const READ_ONLY = /^vitrine serve: .*(cannot write to|readonly|unable to open)/m

/** The roles of one installation as processes of their own, a publisher, and guests who read and ask. */
export class Household {
  readonly site: Site
  readonly guests = new Guests()
  readonly #story: Generator<NewRecord>
  readonly #members = new Map<Member, Serving>()
  readonly #endings = new Endings()
  /** Everybody who was ever there. */
  readonly #processes: Serving[] = []
  readonly #told: string[] = []
  refusedAppends = 0
  /** How often somebody was started again who had ended for want of writable files. */
  restarts = 0
  #pending: NewRecord[] = []
  #publishing: Promise<void> = Promise.resolve()

  constructor(site: Site, seed: number) {
    this.site = site
    process.once('exit', this.#abandon)
    this.#story = demoLog({ creators: 300, creations: 3000, seed, webUrl: 'http://localhost' })
  }

  member(name: Member): Serving {
    const found = this.#members.get(name)
    if (found === undefined) throw new Error(`${name} is not running`)
    return found
  }

  async start(name: Member, shiftMs = 0): Promise<void> {
    const env: Record<string, string> = shiftMs === 0 ? {} : { NODE_OPTIONS: `--import ${CLOCK}`, CLOCK_SHIFT_MS: String(shiftMs) }
    const args = [...this.site.flags, '--roles', ROLES[name], '--rate-limit-agent', 'off']
    const serving = await Serving.start(this.#endings, this.site.folder, args, env)
    this.#members.set(name, serving)
    this.#processes.push(serving)
    if (name === 'query') this.guests.moveTo(serving)
  }

  /** Settles when it answers: before that, a signal meets a program that has not been loaded yet. */
  async isThere(name: Member): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; ; ) {
      await this.#supervise(name)
      const { admin, stderr } = this.member(name)
      if (Date.now() > deadline) throw new Error(`${name} does not answer: ${stderr}`)
      const answer = await fetch(`http://127.0.0.1:${admin}/health/live`).catch(() => null)
      if (answer?.ok) return
      await delay(20)
    }
  }

  /** Gives what it ended with. */
  leave(name: Member, signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown> {
    if (name === 'query') this.guests.disturb()
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, 'nothing: it has been told to, and goes on').unref())
    return Promise.race([this.member(name).end(signal), late])
  }

  async frozen(name: Member, meanwhile: () => Promise<unknown>): Promise<void> {
    const serving = this.member(name)
    if (name === 'query') this.guests.disturb()
    serving.signal('SIGSTOP')
    try {
      await meanwhile()
    } finally {
      serving.signal('SIGCONT')
      if (name === 'query') this.guests.moveTo(serving)
    }
  }

  /** Publishes some more; what the disk refuses is published again later. */
  publish(events: number): Promise<void> {
    this.#publishing = this.#publishing.then(() => this.#publish(events))
    return this.#publishing
  }

  /** Until nothing is left that was refused before. */
  async publishRest(): Promise<void> {
    do await this.publish(1)
    while (this.#pending.length > 0)
  }

  /** How many events some model has not committed yet. Stores that are away are waited for. */
  async behind(): Promise<number> {
    for (;;) {
      try {
        const { last } = await this.site.log.bounds()
        return last - Math.max(0, await lowestPosition(this.site.documents))
      } catch (error) {
        if (!(error instanceof StoreUnavailableError || error instanceof LogUnavailableError || REFUSAL.test(String(error)))) throw error
        await delay(100)
      }
    }
  }

  /** Waits until no more than so many are left. */
  async within(events: number): Promise<void> {
    for (const deadline = Date.now() + 180_000; (await this.behind()) > events; await delay(50)) {
      for (const name of this.#members.keys()) await this.#supervise(name)
      if (Date.now() < deadline) continue
      const said = [...this.#members].map(([name, { stderr }]) => `${name}: ${stderr.slice(-3000)}`)
      throw new Error(`${await this.behind()} events are not projected in three minutes\n${said.join('\n')}`)
    }
  }

  /** What guests complain of, with what the process that answered them wrote about it. */
  complaints(): string[] {
    return this.guests.complaints.map((complaint) => {
      const id = /"request_id":"([^"]+)"/.exec(complaint)?.[1]
      const lines = id === undefined ? [] : this.#processes.flatMap(({ stderr }) => stderr.split('\n').filter((line) => line.includes(id)))
      return [complaint, ...lines].join('\n')
    })
  }

  /** What is wrong with the log: it must hold what was published, in this order, each event once. */
  async logFaults(): Promise<string[]> {
    const ids = (await this.site.log.read(START, Number.MAX_SAFE_INTEGER)).map(({ id }) => id)
    const at = this.#told.findIndex((id, index) => ids[index] !== id)
    if (at < 0 && ids.length === this.#told.length) return []
    return [`the log has ${ids.length} events of ${this.#told.length} published, and is another one from ${at} on`]
  }

  /** What is wrong with the questions that were accepted: each must have ended, once. Gives how, too. */
  async jobFaults(): Promise<{ faults: string[]; ended: Record<string, number> }> {
    const faults: string[] = []
    const ended: Record<string, number> = {}
    for (const id of this.guests.jobs) {
      const { status, reason = '' } = await this.guests.outcomeOf(id)
      const history = await this.site.jobs.read(jobStream(id))
      const ends = history.filter((event) => ['completed', 'failed'].includes(parseJobEvent(event)?.type ?? ''))
      const job = replay(history)
      if (ends.length !== 1 || job === null || !isFinished(job) || job.status !== status)
        faults.push(`job ${id} is ${status}, ends ${ends.length} times`)
      const how = status === 'failed' ? `failed: ${reason} (${[...new Set(history.flatMap(setback))].join('; ')})` : status
      ended[how] = (ended[how] ?? 0) + 1
    }
    return { faults, ended }
  }

  /** What differs from a clean replay of the log, or was put aside: nothing of this story should be. */
  async modelFaults(): Promise<string[]> {
    const { code, stdout, stderr } = await spawnVitrine(['verify', 'all', '--data-dir', this.site.folder, ...this.site.flags])
    return code === 0 && !stdout.includes('parked') ? [] : [`verify ends with ${code}: ${stdout}${stderr}`]
  }

  async close(): Promise<void> {
    await this.guests.leave()
    await this.#endings.run()
    process.off('exit', this.#abandon)
  }

  /** Whoever is told to stop in the middle leaves nobody behind. */
  readonly #abandon = (): void => {
    for (const serving of this.#members.values()) serving.signal('SIGKILL')
  }

  /** What systemd or a container runtime does. Whoever ends for any other reason than that one has a fault. */
  async #supervise(name: Member): Promise<void> {
    const { isRunning, stderr } = this.member(name)
    if (isRunning) return
    if (!READ_ONLY.test(stderr)) throw new Error(`${name} has ended: ${stderr}`)
    this.restarts += 1
    await this.start(name)
  }

  async #publish(events: number): Promise<void> {
    while (this.#pending.length < events) {
      const { value, done } = this.#story.next()
      if (done === true) break
      this.#pending.push(value)
      this.#told.push(value.id)
    }
    try {
      await this.site.log.append(this.#pending)
      this.#pending = []
    } catch (error) {
      if (!REFUSAL.test(String(error))) throw error
      this.refusedAppends += 1
      await delay(20)
    }
  }
}

/** Why an attempt at a question came to nothing. */
function setback(recorded: StreamEvent): string[] {
  const event = parseJobEvent(recorded)
  if (event?.type === 'attempt_failed') return [event.data.reason]
  return event?.type === 'lease_expired' ? ['its worker was gone'] : []
}
