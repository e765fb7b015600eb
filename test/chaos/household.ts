import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { projections } from '../../projections/index.js'
import { SqliteDocumentStore } from '../../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import { demoLog } from '../../src/demo/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { Serving, vitrine } from '../serving/program.js'

const CLOCK = fileURLToPath(new URL('clock.js', import.meta.url))
const ROLES = { projector: 'project', query: 'query', ask: 'ask' } as const
export type Member = keyof typeof ROLES
export const MEMBERS = Object.keys(ROLES) as Member[]

/** The roles of one installation as processes of their own, a publisher, readers, and people who ask. */
export class Household {
  readonly log: SqliteEventLog
  readonly #folder: string
  readonly #documents: SqliteDocumentStore
  readonly #story: Generator<NewRecord>
  readonly #members = new Map<Member, Serving>()
  readonly #ends: (() => unknown)[] = []
  readonly #jobs: string[] = []
  readonly answers: Record<string, number> = {}
  refusedAppends = 0
  #pending: NewRecord[] = []

  static async open(folder: string, seed: number): Promise<Household> {
    return new Household(folder, seed, await SqliteDocumentStore.open(join(folder, 'models')))
  }

  private constructor(folder: string, seed: number, documents: SqliteDocumentStore) {
    this.#folder = folder
    this.#documents = documents
    this.log = new SqliteEventLog(join(folder, 'log', 'events.db'))
    this.#story = demoLog({ creators: 300, creations: 3000, seed, webUrl: 'http://localhost' })
  }

  member(name: Member): Serving {
    const found = this.#members.get(name)
    if (found === undefined) throw new Error(`${name} is not running`)
    return found
  }

  async start(name: Member, shiftMs = 0): Promise<void> {
    const env: Record<string, string> = shiftMs === 0 ? {} : { NODE_OPTIONS: `--import ${CLOCK}`, CLOCK_SHIFT_MS: String(shiftMs) }
    const args = ['--roles', ROLES[name], '--rate-limit-agent', 'off']
    const serving = await Serving.start({ teardown: (end: () => unknown) => this.#ends.push(end) }, this.#folder, args, env)
    this.#members.set(name, serving)
  }

  /** Publishes some more; what a full disk refuses is published again later. */
  async publish(events: number): Promise<void> {
    while (this.#pending.length < events) {
      const { value, done } = this.#story.next()
      if (done === true) break
      this.#pending.push(value)
    }
    try {
      await this.log.append(this.#pending)
      this.#pending = []
    } catch (error) {
      if (!/full|I\/O|busy|locked/i.test(String(error))) throw error
      this.refusedAppends += 1
    }
  }

  /** Whether there are events that some model has not committed yet. */
  async isBusy(): Promise<boolean> {
    return (await this.behind()) > 0
  }

  async behind(): Promise<number> {
    const { last } = await this.log.bounds()
    let lowest = last as number
    for (const { name } of projections) {
      const live = (await this.#documents.generations(name)).find(({ state }) => state === 'live')
      if (live === undefined) return last
      const opened = await this.#documents.openGeneration(live, [])
      lowest = Math.min(lowest, (await opened.checkpoint()).position)
      await opened.close()
    }
    return last - lowest
  }

  /** One read and one question, if anybody is there to take them. */
  async use(question: boolean): Promise<void> {
    const { api, web } = this.member('query')
    await this.#call(`http://127.0.0.1:${api}/public/share/community?limit=5`)
    if (!question) return
    const asked = await this.#call(`http://127.0.0.1:${web}/ask/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"What is popular?"}',
    })
    if (asked?.status === 202) this.#jobs.push(((await asked.json()) as { job_id: string }).job_id)
  }

  get jobs(): number {
    return this.#jobs.length
  }

  /** Every accepted question has come to an end. */
  async jobsHaveEnded(): Promise<void> {
    const { web } = this.member('query')
    for (const id of this.#jobs) {
      for (let tries = 0; ; tries++) {
        const answer = await fetch(`http://127.0.0.1:${web}/ask/jobs/${id}`)
        const { status } = (await answer.json()) as { status?: string }
        if (status === 'completed' || status === 'failed') break
        if (tries > 300) throw new Error(`job ${id} is ${status ?? answer.status} for ever`)
        await delay(200)
      }
    }
  }

  async verify(): Promise<string[]> {
    const differing: string[] = []
    for (const { name } of projections) {
      const { code, stdout, stderr } = await vitrine(['verify', name, '--data-dir', this.#folder])
      if (code !== 0) differing.push(`${name}: ${stdout}${stderr}`)
    }
    return differing
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end()
    await this.#documents.close()
    await this.log.close()
  }

  /** An answer, or `null` when nobody was there. */
  async #call(url: string, init: RequestInit = {}): Promise<Response | null> {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) })
      this.#note(String(answer.status))
      if (answer.status >= 500 && answer.status !== 503 && answer.status !== 504)
        throw new BadAnswer(`${url}: ${answer.status} ${await answer.text()}`)
      return answer
    } catch (error) {
      if (error instanceof BadAnswer) throw error
      this.#note('nobody there')
      return null
    }
  }

  #note(outcome: string): void {
    this.answers[outcome] = (this.answers[outcome] ?? 0) + 1
  }
}

class BadAnswer extends Error {}
