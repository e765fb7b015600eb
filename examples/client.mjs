/**
 * A small client that does what the service asks of its callers: it pages by cursor, retries by the published policy and
 * polls jobs no more often than it should. Copy it, or read it to see how little it takes.
 *
 *   const client = new Client('http://127.0.0.1:3000', 'http://127.0.0.1:3001')
 *   for await (const item of client.feed({ category: 'games', sort: 'liked' })) console.log(item.title)
 *   console.log((await client.askInBackground('What is trending?')).answer)
 */

export interface Item {
  id: string
  title: string
  url: string
  stats: { likes: number; remixes: number; plays: number }
}

export interface Answer {
  answer: string
  citations: { title: string; url: string; snippet: string }[]
}

/** An error answer of the service. */
export class ServiceFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

const MAX_ATTEMPTS = 4
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8000
const TRANSIENT = new Set([408, 425, 500, 502, 503, 504])

export interface ClientOptions {
  /** Replaced in tests, so that they need not wait. */
  wait?: (ms: number) => Promise<void>
  /** Between 0 and 1: callers that failed together must not retry together. */
  random?: () => number
}

export class Client {
  readonly #baseUrl: string
  readonly #webUrl: string
  readonly #wait: (ms: number) => Promise<void>
  readonly #random: () => number

  constructor(baseUrl: string, webUrl: string, { wait = pause, random = Math.random }: ClientOptions = {}) {
    this.#baseUrl = baseUrl
    this.#webUrl = webUrl
    this.#wait = wait
    this.#random = random
  }

  /** Every creation of a feed. Fetches the next page only when the caller gets to it. */
  async *feed(query: Record<string, string> = {}): AsyncGenerator<Item, void, void> {
    for (let cursor: string | null = null; ; ) {
      const parameters = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) })
      const response = await this.#request(`${this.#baseUrl}/public/share/community?${parameters}`)
      const { data } = (await response.json()) as { data: { items: Item[]; hasMore: boolean; next_cursor: string | null } }
      yield* data.items
      if (!data.hasMore || data.next_cursor === null) return
      cursor = data.next_cursor
    }
  }

  async ask(query: string): Promise<Answer> {
    return (await this.#post('/ask', { query })).json() as Promise<Answer>
  }

  /** For questions that may take a while: asks, then looks as often as `Retry-After` allows. */
  async askInBackground(query: string): Promise<Answer> {
    // With a key, a request that is repeated because its answer got lost does not ask twice.
    const asked = await this.#post('/ask/jobs', { query }, { 'idempotency-key': crypto.randomUUID() })
    const { status_url: url } = (await asked.json()) as { status_url: string }
    for (let response = asked; ; ) {
      await this.#wait(secondsIn(response, 'retry-after', 5) * 1000)
      response = await this.#request(url)
      const job = (await response.json()) as { status: string; result?: Answer; error?: { message: string } }
      if (job.status === 'completed' && job.result !== undefined) return job.result
      if (job.status === 'failed') throw new ServiceFailure(200, job.error?.message ?? 'the job failed')
    }
  }

  #post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return this.#request(this.#webUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  }

  async #request(url: string, init: RequestInit = {}): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, init)
      if (response.ok) return response
      const retryable = response.status === 429 || TRANSIENT.has(response.status)
      if (!retryable || attempt === MAX_ATTEMPTS) throw await failureOf(response)
      await this.#wait(response.status === 429 ? secondsIn(response, 'retry-after', 60) * 1000 : this.#backoff(attempt))
    }
  }

  /** Exponential, with full jitter. */
  #backoff(attempt: number): number {
    return this.#random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  }
}

async function failureOf(response: Response): Promise<ServiceFailure> {
  const { message } = (await response.json().catch(() => ({}))) as { message?: string }
  return new ServiceFailure(response.status, message ?? response.statusText)
}

function secondsIn(response: Response, header: string, otherwise: number): number {
  const value = Number(response.headers.get(header) ?? otherwise)
  return Number.isFinite(value) && value >= 0 ? value : otherwise
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
