/** A real server that answers as a test tells it, and a client that does not wait in earnest. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { type Client, type ClientOptions, createClient, type ResponseInfo } from '../../src/client/index.js'
import { nameForStatus } from '../../src/contract/error-table.js'
import { listening } from '../support/listening.js'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export class ScriptedServer {
  readonly seen: Seen[] = []
  /** How long the client wanted to wait, each time. */
  readonly waits: number[] = []
  readonly infos: ResponseInfo[] = []
  readonly client: Client
  readonly url: string
  #closed = 0

  /** Answers in this order; the last one for ever. `/status` has its own answer and is not in the list. */
  static async start(t: Pick<Test, 'teardown'>, answers: readonly Answer[], options: Partial<ClientOptions> = {}): Promise<ScriptedServer> {
    const left = [...answers]
    const server = createServer((request, response) => {
      response.on('close', () => scripted.#closed++)
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        scripted.seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
        if (request.url === '/status') return sends(STATUS)(response, request)
        const [next] = left.length > 1 ? left.splice(0, 1) : left
        next?.(response, request)
      })
    })
    const scripted = new ScriptedServer(`http://127.0.0.1:${await listening(server)}`, options)
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    return scripted
  }

  private constructor(url: string, options: Partial<ClientOptions>) {
    this.url = url
    this.client = createClient({
      apiUrl: url,
      webUrl: url,
      random: () => 1,
      wait: async (ms) => void this.waits.push(ms),
      onResponse: (info) => this.infos.push(info),
      ...options,
    })
  }

  /** Requests for anything but the status. */
  get requests(): Seen[] {
    return this.seen.filter(({ url }) => url !== '/status')
  }

  get closedResponses(): number {
    return this.#closed
  }
}

export const STATUS = { status: 'degraded', components: [{ name: 'feed', kind: 'projection', status: 'unavailable' }] }

export const PAGE = { items: [], hasMore: false, total: 0, next_cursor: null, pagination: {} }

export const sends =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body))
  }

export const succeeds = sends({ code: 0, data: PAGE })

export const fails = (status: number, headers: Record<string, string> = {}): Answer =>
  sends({ code: status * 100, message: 'not now', error: nameForStatus(status), retryable: true, request_id: 'r1' }, status, headers)

/** Sends a text of another type. */
export const sendsText =
  (text: string, type: string, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type }).end(text)
  }

/** Never answers. */
export const staysSilent: Answer = () => {}

/** Closes the connection without a word. */
export const hangsUp: Answer = (response) => {
  response.socket?.destroy()
}

/** Sends the beginning of an answer, then closes the connection. */
export const cutsOff =
  (text: string, type = 'application/json'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': '1000000' })
    response.write(text, () => response.socket?.destroy())
  }

/** Sends the beginning of an answer and leaves the connection open. */
export const stalls =
  (text: string, type = 'application/json'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': type })
    response.write(text)
  }

/** Sends the same part for ever, as fast as it is read. */
export const pours =
  (part: string, type = 'application/json', status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type })
    const pour = (): void => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', pour)
    pour()
  }

/** Sends a beginning, then the same part again and again, with a pause that no timeout notices. */
export const trickles =
  (part: string, type = 'application/json', { beginning = '', status = 200 } = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type })
    response.write(beginning)
    const timer = setInterval(() => response.write(part), 5)
    response.on('close', () => clearInterval(timer))
  }

export const redirects = (to: string, status = 302): Answer => sends({}, status, { location: to, 'access-control-allow-origin': '*' })

export async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of all) found.push(one)
  return found
}
