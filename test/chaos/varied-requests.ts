/** Requests of many callers to every surface, hardly two of them alike. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { json, text } from 'node:stream/consumers'
import type { SeededRandom } from '../../demo/random.js'
import type { Serving } from '../harness/program.js'

interface Sent {
  port: number
  path: string
  headers?: Record<string, string>
  body?: unknown
}

interface Listed {
  slug: string
  creator: { handle: string }
}

const LOCALES = ['en', 'de', 'fr', 'es', 'ja']
const SORTS = ['trending', 'recent', 'popular', 'remixed', 'liked']
const PLAIN = { 'accept-encoding': 'identity' }
const ENCODINGS = ['br', 'gzip', 'identity']

export class VariedRequests {
  readonly #serving: Serving
  readonly #random: SeededRandom
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })
  readonly #creations: Listed[] = []
  readonly #pictures: string[] = []
  /** Of the newest jobs. */
  readonly #jobs: string[] = []
  #sent = 0

  constructor(serving: Serving, random: SeededRandom) {
    this.#serving = serving
    this.#random = random
  }

  get sent(): number {
    return this.#sent
  }

  /** Learns what there is to ask for, and fills what is kept for a day: the replies by idempotency key. */
  async prepare(): Promise<void> {
    const { api, web } = this.#serving
    for (const sort of SORTS) {
      const { data } = (await json(
        await this.#send({ port: api, path: `/public/share/community?limit=20&sort=${sort}`, headers: PLAIN }),
      )) as {
        data: { items: Listed[] }
      }
      this.#creations.push(...data.items)
    }
    const front = await text(await this.#send({ port: web, path: '/', headers: { accept: 'text/html', ...PLAIN } }))
    for (const [, path = ''] of front.matchAll(/src="(?:http:\/\/[^/]+)?(\/[^"]+)"/g)) this.#pictures.push(path)
    for (let batch = 0; batch < 150; batch++) await text(await this.#send(this.#batch(10, 20)))
  }

  /** One request, answered. */
  async next(): Promise<void> {
    const kinds = [
      this.#read,
      this.#page,
      this.#subdomain,
      this.#picture,
      this.#tool,
      this.#question,
      this.#job,
      this.#missing,
      this.#wrong,
    ]
    const kind = kinds[this.#sent % kinds.length] ?? this.#read
    const answer = await this.#send(this.#sent % 50 === 0 ? this.#batch(2, 5) : kind.call(this))
    const body = await text(answer)
    if (answer.statusCode !== 202) return
    this.#jobs.push(JSON.parse(body).job_id)
    if (this.#jobs.length > 20) this.#jobs.shift()
  }

  close(): void {
    this.#agent.destroy()
  }

  #read(): Sent {
    const { slug, creator } = this.#random.pick(this.#creations)
    const paths = [
      `community?q=${this.#word()}&limit=${this.#random.below(20) + 1}`,
      `community?sort=${this.#random.pick(SORTS)}&limit=${this.#random.below(20) + 1}&locale=${this.#random.pick(LOCALES)}`,
      `user/${creator.handle}?locale=${this.#random.pick(LOCALES)}`,
      `user/${creator.handle}/followers?limit=${this.#random.below(20) + 1}`,
      `app/${creator.handle}/${slug}?locale=${this.#random.pick(LOCALES)}`,
    ]
    return { port: this.#serving.api, path: `/public/share/${this.#random.pick(paths)}` }
  }

  #page(): Sent {
    const path = this.#random.pick([`/?q=${this.#word()}`, '/', '/docs', '/llms.txt', '/status'])
    return { port: this.#serving.web, path, headers: { accept: 'text/html' } }
  }

  #subdomain(): Sent {
    const { slug, creator } = this.#random.pick(this.#creations)
    const host = `${creator.handle}.localhost:${this.#serving.web}`
    return { port: this.#serving.web, path: this.#random.pick(['/', `/${slug}`]), headers: { accept: 'text/html', host } }
  }

  #picture(): Sent {
    return { port: this.#serving.web, path: this.#random.pick(this.#pictures) }
  }

  #tool(): Sent {
    const call = { name: 'get_community_feed', arguments: { q: this.#word() } }
    const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: this.#word(), version: '1' } }
    const [method, params] = this.#random.pick([['tools/list', {}] as const, ['tools/call', call] as const, ['initialize', info] as const])
    const headers = { accept: 'application/json, text/event-stream' }
    return { port: this.#serving.api, path: '/mcp', headers, body: { jsonrpc: '2.0', id: this.#sent, method, params } }
  }

  #question(): Sent {
    const query = `creations about ${this.#word()} by ${this.#random.pick(this.#creations).creator.handle}`
    return { port: this.#serving.web, path: '/ask', body: { query, prefer: { streaming: this.#random.below(2) === 0 } } }
  }

  /** Jobs are kept for a day, so there are few new ones. */
  #job(): Sent {
    const { web } = this.#serving
    if (this.#sent % 5 === 0) return { port: web, path: '/ask/jobs', body: { query: `about ${this.#word()}` } }
    return { port: web, path: `/ask/jobs/${this.#jobs.length > 0 ? this.#random.pick(this.#jobs) : 'none'}` }
  }

  #missing(): Sent {
    return { port: this.#serving.web, path: `/${this.#word()}/${this.#word()}` }
  }

  #wrong(): Sent {
    const { api, web } = this.#serving
    return this.#random.pick<Sent>([
      { port: api, path: `/public/share/community?limit=${this.#word()}` },
      { port: web, path: '/ask', body: { [this.#word()]: this.#word() } },
      { port: web, path: '/batch', body: { requests: this.#word() } },
    ])
  }

  #batch(requests: number, limit: number): Sent {
    const operation = 'get_community_feed'
    const many = Array.from({ length: requests }, (_, id) => ({
      id: String(id),
      operation,
      arguments: { limit, sort: this.#random.pick(SORTS) },
    }))
    return { port: this.#serving.web, path: '/batch', headers: { 'idempotency-key': `"${this.#word()}"` }, body: { requests: many } }
  }

  async #send({ port, path, headers = {}, body }: Sent): Promise<IncomingMessage> {
    this.#sent += 1
    const caller = `10.${this.#random.below(256)}.${this.#random.below(256)}.${this.#random.below(256)}`
    const common = {
      'x-forwarded-for': caller,
      'accept-encoding': body === undefined ? this.#random.pick(ENCODINGS) : 'identity',
      ...headers,
    }
    const encoded = body === undefined ? '' : JSON.stringify(body)
    const content = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(encoded) }
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port,
          path,
          method: body === undefined ? 'GET' : 'POST',
          headers: { ...common, ...content },
        },
        resolve,
      )
      outgoing.on('error', reject)
      outgoing.end(encoded)
    })
  }

  #word(): string {
    return this.#random.below(2 ** 31).toString(36) + this.#random.below(2 ** 31).toString(36)
  }
}
