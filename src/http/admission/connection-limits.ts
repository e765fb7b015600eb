import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientKeyOf, NETWORK_FACTOR, networkOf } from '../rate-limit/client-key.js'

export interface ConnectionLimitsOptions {
  /** Open connections of this process, in all and for each caller. `null`: no limit, as for a proxy that brings all callers. */
  maxInAll: number
  maxPerCaller: number | null
  /** How long `minBytes` of an answer, or what is left of it, may wait for its reader. */
  sendTimeoutMs?: number
  minBytes?: number
  onRefused?: (host: string) => void
}

interface Connection {
  keys: readonly string[]
  /** What it had taken when bytes began to wait for it, and until when they may. */
  waiting: { taken: number; until: number } | null
}

const SEND_TIMEOUT_MS = 30_000
const MIN_BYTES = 256 * 1024
const CHECKS_PER_TIMEOUT = 15

/**
 * Bounds the open connections of a process. A full process closes the oldest connection of the caller that has most, so that
 * few callers cannot lock out the others. One for all public hosts.
 */
export class ConnectionLimits {
  readonly #maxInAll: number
  readonly #maxPerCaller: number
  readonly #sendTimeoutMs: number
  readonly #minBytes: number
  readonly #onRefused: (host: string) => void
  readonly #open = new Map<Socket, Connection>()
  /** By caller, and by its network; the oldest first. */
  readonly #byCaller = new Map<string, Set<Socket>>()
  readonly #timer: NodeJS.Timeout

  constructor({ maxInAll, maxPerCaller, sendTimeoutMs, minBytes, onRefused }: ConnectionLimitsOptions) {
    this.#maxInAll = maxInAll
    this.#maxPerCaller = maxPerCaller ?? Number.POSITIVE_INFINITY
    this.#sendTimeoutMs = sendTimeoutMs ?? SEND_TIMEOUT_MS
    this.#minBytes = minBytes ?? MIN_BYTES
    this.#onRefused = onRefused ?? (() => {})
    this.#timer = setInterval(() => this.#closeSlowReaders(performance.now()), this.#sendTimeoutMs / CHECKS_PER_TIMEOUT).unref()
  }

  watch(host: string, server: Server): void {
    server.on('connection', (socket: Socket) => this.#accept(host, socket))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #accept(host: string, socket: Socket): void {
    const caller = clientKeyOf(socket.remoteAddress ?? '')
    const network = networkOf(caller)
    const keys = network === null ? [caller] : [caller, network]
    const isFull = keys.some((key, i) => this.#countOf(key) >= this.#maxPerCaller * (i === 0 ? 1 : NETWORK_FACTOR))
    if (isFull || !this.#makeRoom(caller)) {
      this.#onRefused(host)
      socket.destroy()
      return
    }
    this.#open.set(socket, { keys, waiting: null })
    for (const key of keys) this.#byCaller.set(key, (this.#byCaller.get(key) ?? new Set()).add(socket))
    socket.once('close', () => this.#remove(socket))
  }

  #remove(socket: Socket): void {
    const connection = this.#open.get(socket)
    this.#open.delete(socket)
    for (const key of connection?.keys ?? []) {
      const sockets = this.#byCaller.get(key)
      sockets?.delete(socket)
      if (sockets?.size === 0) this.#byCaller.delete(key)
    }
  }

  #countOf(key: string): number {
    return this.#byCaller.get(key)?.size ?? 0
  }

  /** Whether there is room for one more of this caller. */
  #makeRoom(caller: string): boolean {
    if (this.#open.size < this.#maxInAll) return true
    let most: ReadonlySet<Socket> = new Set()
    for (const sockets of this.#byCaller.values()) if (sockets.size > most.size) most = sockets
    if (this.#countOf(caller) + 1 >= most.size) return false
    const [oldest] = most
    if (oldest === undefined) return false
    // Its close event comes later, and others may arrive before.
    this.#remove(oldest)
    oldest.destroy()
    return true
  }

  /** A caller that takes no bytes, or a few now and then, keeps answers in memory. */
  #closeSlowReaders(now: number): void {
    for (const [socket, connection] of this.#open) {
      const taken = socket.bytesWritten - socket.writableLength
      const { waiting } = connection
      if (socket.writableLength === 0) connection.waiting = null
      else if (waiting === null || taken - waiting.taken >= this.#minBytes) {
        // What was written at once counts as taken only when the caller has all of it.
        const parts = Math.max(1, socket.writableLength / this.#minBytes)
        connection.waiting = { taken, until: now + parts * this.#sendTimeoutMs }
      } else if (now > waiting.until) socket.destroy()
    }
  }
}
