import { setTimeout as delay } from 'node:timers/promises'
import type { Serving } from '../harness/program.js'

const READERS = 2
const PAUSE_MS = 50
/** Longer than any fault lasts: an admitted request has its answer by then. */
const TIMEOUT_MS = 45_000
const READS = [
  '/public/share/community?limit=5',
  '/public/share/tags',
  '/public/share/community/landing',
  '/public/share/community?q=a&limit=3',
]

/**
 * Clients that read all the time and sometimes ask. While the process that answers them is not disturbed, each of
 * their requests must get an answer, if only a 503.
 */
export class Clients {
  readonly jobs: string[] = []
  readonly answers: Record<string, number> = {}
  readonly faults: string[] = []
  #server: Serving | null = null
  /** How often the process was killed, stopped or frozen. */
  #interruptions = 0
  /** Whether it has answered since the last interruption. */
  #hasAnswered = false
  /** Until it runs again, an answer does not mean that the next request is answered too. */
  #isInterrupted = false
  #stopped = false
  #reading: Promise<unknown> = Promise.resolve()

  /** Starts the readers. */
  start(): void {
    this.#reading = Promise.all(Array.from({ length: READERS }, (_, reader) => this.#read(reader)))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#reading
  }

  interrupt(): void {
    this.#interruptions += 1
    this.#hasAnswered = false
    this.#isInterrupted = true
  }

  useServer(host: Serving): void {
    this.interrupt()
    this.#isInterrupted = false
    this.#server = host
  }

  async ask(): Promise<void> {
    const asked = await this.#call(`http://127.0.0.1:${this.#server?.web}/ask/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"What is popular?"}',
    })
    if (asked?.status === 202) this.jobs.push((JSON.parse(asked.body) as { job_id: string }).job_id)
  }

  /** Waits until the job has ended. */
  async outcomeOf(id: string): Promise<{ status: string; reason?: string }> {
    for (const deadline = Date.now() + 300_000; ; await delay(200)) {
      const answer = await fetch(`http://127.0.0.1:${this.#server?.web}/ask/jobs/${id}`)
      const { status = String(answer.status), error } = (await answer.json()) as { status?: string; error?: { message: string } }
      if (status === 'completed' || status === 'failed') return { status, ...(error === undefined ? {} : { reason: error.message }) }
      if (Date.now() > deadline) throw new Error(`job ${id} is ${status} for five minutes`)
    }
  }

  async #read(reader: number): Promise<void> {
    for (let turn = reader; !this.#stopped; turn++) {
      await this.#call(`http://127.0.0.1:${this.#server?.api}${READS[turn % READS.length]}`)
      await delay(PAUSE_MS)
    }
  }

  /** An answer, or `null` when there was none. */
  async #call(url: string, init: RequestInit = {}): Promise<{ status: number; body: string } | null> {
    const [visit, welcomed] = [this.#interruptions, this.#hasAnswered]
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
      const body = await answer.text()
      this.#count(String(answer.status))
      if (visit === this.#interruptions && !this.#isInterrupted) this.#hasAnswered = true
      if (answer.status >= 500 && answer.status !== 503 && answer.status !== 504) this.faults.push(`${url}: ${answer.status} ${body}`)
      return { status: answer.status, body }
    } catch (error) {
      this.#count('no answer')
      if (welcomed && visit === this.#interruptions && !this.#stopped)
        this.faults.push(`${url}: ${error} ${error instanceof Error ? error.cause : ''}`)
      return null
    }
  }

  #count(outcome: string): void {
    this.answers[outcome] = (this.answers[outcome] ?? 0) + 1
  }
}
