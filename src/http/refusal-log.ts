import type { FastifyBaseLogger } from 'fastify'

const INTERVAL_MS = 1000

/** Refused requests in the log. There may be thousands in a second: they are counted, and a second of them is one line. */
export class RefusalLog {
  readonly #logger: FastifyBaseLogger
  #counts: Record<string, number> = {}
  #timer: NodeJS.Timeout | null = null

  constructor(logger: FastifyBaseLogger) {
    this.#logger = logger
  }

  count(operation: string, status: number): void {
    const name = `${status} ${operation}`
    this.#counts[name] = (this.#counts[name] ?? 0) + 1
    this.#timer ??= setTimeout(() => this.flush(), INTERVAL_MS).unref()
  }

  flush(): void {
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    this.#timer = null
    this.#logger.info({ refused: this.#counts }, 'refused')
    this.#counts = {}
  }
}
