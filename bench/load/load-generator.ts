/** Open-loop load: each request is sent when it is due, whether or not earlier ones are answered. */
import { connect, type Socket } from 'node:net'

export interface Reply {
  /** 0 when the connection broke. */
  status: number
  retryAfter: boolean
  /** Latency, counted from the moment the request was due. */
  ms: number
}

export interface Load {
  port: number
  perSecond: number
  seconds: number
  /** The bytes of the nth request. */
  request: (n: number) => string
  /** The most connections. Requests that find none free are not sent. */
  connections?: number
}

/** Fewer than the listen backlog, so that none is refused. */
const CONNECTIONS = 500
const TICK_MS = 5

/** Resolves with all replies. `unsent` counts requests for which no connection was free. */
export async function sendAtRate({
  port,
  perSecond,
  seconds,
  request,
  connections = CONNECTIONS,
}: Load): Promise<{ replies: Reply[]; unsent: number }> {
  const lines = new ConnectionPool(port, connections)
  const replies: Promise<Reply>[] = []
  let unsent = 0
  let due = 0
  const began = performance.now()
  while (due < perSecond * seconds) {
    const until = Math.min(perSecond * seconds, ((performance.now() - began) / 1000) * perSecond)
    for (; due < until; due++) {
      const reply = lines.send(request(due), began + (due * 1000) / perSecond)
      if (reply === null) unsent += 1
      else replies.push(reply)
    }
    // Waits for time itself: the load is a number of requests per second, and must not depend on answers.
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
  try {
    return { replies: await Promise.all(replies), unsent }
  } finally {
    lines.close()
  }
}

/** Answers per second when each client sends its next request as soon as it has an answer. */
export async function measureThroughput({
  port,
  request,
  seconds,
  clients,
}: Omit<Load, 'perSecond'> & { clients: number }): Promise<number> {
  const lines = new ConnectionPool(port, clients)
  const until = performance.now() + seconds * 1000
  let asked = 0
  let answers = 0
  const client = async () => {
    while (performance.now() < until) {
      const reply = await lines.send(request(asked++), performance.now())
      answers += Number(reply?.status === 200)
    }
  }
  try {
    await Promise.all(Array.from({ length: clients }, client))
    return answers / seconds
  } finally {
    lines.close()
  }
}

/** One request at a time on each connection, as browsers do. */
class ConnectionPool {
  readonly #port: number
  readonly #most: number
  readonly #idle: Socket[] = []
  readonly #all = new Set<Socket>()

  constructor(port: number, most: number) {
    this.#port = port
    this.#most = most
  }

  send(request: string, dueAt: number): Promise<Reply> | null {
    const socket = this.#idle.pop() ?? this.#connect()
    if (socket === null) return null
    socket.write(request)
    return new Promise((resolve) => {
      let received = ''
      const settle = (status: number, retryAfter: boolean) => {
        socket.off('data', take).off('close', lost)
        resolve({ status, retryAfter, ms: performance.now() - dueAt })
      }
      const lost = () => settle(0, false)
      const take = (chunk: Buffer) => {
        received += chunk.toString('latin1')
        const end = received.indexOf('\r\n\r\n')
        const head = received.slice(0, end)
        if (end < 0 || received.length < end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return
        settle(Number(head.slice(9, 12)), /\r\nretry-after: \d/i.test(head))
        this.#idle.push(socket)
      }
      socket.on('data', take).on('close', lost)
    })
  }

  close(): void {
    for (const socket of this.#all) socket.destroy()
  }

  #connect(): Socket | null {
    if (this.#all.size >= this.#most) return null
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#all.delete(socket)
      const at = this.#idle.indexOf(socket)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    socket.setMaxListeners(0)
    this.#all.add(socket)
    return socket
  }
}

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) * 10) / 10
}
