import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { NETWORK_FACTOR } from '../../contract/caller-limits.js'
import { WINDOW_MS } from '../../rate-limit/local-rate-windows.js'
import { callerAddress, clientKeyOf, networkOf } from '../rate-limit/client-key.js'
import { boundParsing, isTrickling, MAX_PIPELINED, NOTHING_PARSED, type Parsed, TooManyHeadersError } from './bound-parsing.js'
import { refuseEarly } from './early-refusal.js'
import { HeldByCallers, type Holding } from './held-by-callers.js'

export interface ConnectionLimitsOptions {
  trustProxy: boolean
  /** Open connections of this process, in all. */
  maxInAll: number
  /** For each caller: open ones, and those of a minute that end without a whole head. `null`: no limit. A proxy brings all callers, so it has none. */
  maxPerCaller: number | null
  /** Bytes of answers that may wait for their readers, in all and for each caller. */
  maxWaitingBytes?: number
  maxWaitingBytesPerCaller?: number
  /** How long `minBytes` of an answer, or what is left of it, may wait for its reader. */
  sendTimeoutMs?: number
  minBytes?: number
  onRefused?: (host: string) => void
  onAccepted?: () => void
}

interface Connection {
  /** The caller, and its network if it has one. */
  keys: readonly [string, ...string[]]
  /** Answers that are not complete. */
  responses: Set<ServerResponse>
  /** Since the last complete head, if there was one. */
  parsed: Parsed
  hadRequest: boolean
  /** What it had taken when bytes began to wait for it, and until when it has to take more. */
  waiting: { taken: number; until: number } | null
}

const SEND_TIMEOUT_MS = 10_000
const MIN_BYTES = 16 * 1024
const MAX_WAITING_BYTES = 128 * 1024 * 1024
const MAX_WAITING_BYTES_PER_CALLER = 16 * 1024 * 1024
const CHECKS_PER_TIMEOUT = 10
const CALLERS_KEPT = 10_000
/** Requests over a rate limit within a minute, for each open connection that a caller may have. */
const MAX_REFUSED = 4
/** As how many broken ones an empty connection counts: browsers open some in advance, and do not use them. */
const EMPTY = 1 / 4

/**
 * Bounds the open connections of a process, and the answers that wait on them. A full process closes a connection of the caller
 * that has most; if none has more than the new one, the connection that has been idle longest. One for all public hosts.
 */
export class ConnectionLimits {
  readonly #trustProxy: boolean
  readonly #maxInAll: number
  readonly #maxPerCaller: number
  readonly #sendTimeoutMs: number
  readonly #minBytes: number
  readonly #onRefused: (host: string) => void
  readonly #onAccepted: () => void
  readonly #open = new Map<Socket, Connection>()
  /** Connections without a request, the longest idle first. */
  readonly #idle = new Set<Socket>()
  /** By caller, and by its network; the oldest first. */
  readonly #byCaller = new Map<string, Set<Socket>>()
  /** Connections that ended without a request, or within a head, by caller: they cost as much as requests, and no rate limit counts them. */
  readonly #broken = new LRUCache<string, number>({ max: CALLERS_KEPT, ttl: WINDOW_MS, noUpdateTTL: true })
  /** Answers 429, by caller. Each costs up to a tenth of a millisecond, and hundreds in one turn keep others from being accepted. */
  readonly #refused = new LRUCache<string, number>({ max: CALLERS_KEPT, ttl: WINDOW_MS, noUpdateTTL: true })
  readonly #waitingAnswers: HeldByCallers<Holding>
  readonly #timer: NodeJS.Timeout

  constructor(options: ConnectionLimitsOptions) {
    const { sendTimeoutMs = SEND_TIMEOUT_MS, minBytes = MIN_BYTES, onRefused = () => {}, onAccepted = () => {} } = options
    const { maxWaitingBytes = MAX_WAITING_BYTES, maxWaitingBytesPerCaller = MAX_WAITING_BYTES_PER_CALLER } = options
    this.#trustProxy = options.trustProxy
    this.#maxInAll = options.maxInAll
    this.#maxPerCaller = (options.trustProxy ? null : options.maxPerCaller) ?? Number.POSITIVE_INFINITY
    this.#sendTimeoutMs = sendTimeoutMs
    this.#minBytes = minBytes
    this.#onRefused = onRefused
    this.#onAccepted = onAccepted
    this.#waitingAnswers = new HeldByCallers(maxWaitingBytesPerCaller, maxWaitingBytes)
    this.#timer = setInterval(() => this.#closeSlowReaders(performance.now()), sendTimeoutMs / CHECKS_PER_TIMEOUT).unref()
  }

  /** Call when the server has its own listeners. */
  watch(host: string, server: Server): void {
    server.on('connection', (socket: Socket) => this.#accept(host, server, socket))
    refuseEarly(server, (address) => {
      const isRefused = address === null || this.#isShutOut(clientKeyOf(address))
      if (isRefused) this.#onRefused(host)
      return isRefused
    })
    // First, because an answer may be complete when the server's own listener returns.
    for (const event of ['request', 'checkExpectation'])
      server.prependListener(event, (request, response) => this.#noteRequest(request, response))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #accept(host: string, server: Server, socket: Socket): void {
    const caller = clientKeyOf(socket.remoteAddress ?? '')
    const network = networkOf(caller)
    const keys: Connection['keys'] = network === null ? [caller] : [caller, network]
    const isFull = keys.some((key, i) => this.#countOf(key) >= this.#maxPerCaller * (i === 0 ? 1 : NETWORK_FACTOR))
    if (isFull || this.#isShutOut(caller) || !this.#makeRoom(caller)) {
      this.#onRefused(host)
      socket.destroy()
      return
    }
    this.#onAccepted()
    const responses = new Set<ServerResponse>()
    const connection = { keys, responses, parsed: { ...NOTHING_PARSED }, hadRequest: false, waiting: null }
    this.#open.set(socket, connection)
    const unbind = boundParsing(socket, connection.parsed, {
      isBusy: () => responses.size >= MAX_PIPELINED,
      refuseHead: () => server.emit('clientError', new TooManyHeadersError(), socket) || socket.destroy(),
    })
    this.#idle.add(socket)
    for (const key of keys) this.#byCaller.set(key, (this.#byCaller.get(key) ?? new Set()).add(socket))
    socket.once('close', () => {
      unbind()
      this.#remove(socket)
      closeResponses(connection)
      if (isTrickling(connection.parsed) || !connection.hadRequest) this.#noteBroken(caller, socket.bytesRead > 0 ? 1 : EMPTY)
    })
  }

  #remove(socket: Socket): void {
    const connection = this.#open.get(socket)
    this.#open.delete(socket)
    this.#idle.delete(socket)
    for (const key of connection?.keys ?? []) {
      const sockets = this.#byCaller.get(key)
      sockets?.delete(socket)
      if (sockets?.size === 0) this.#byCaller.delete(key)
    }
  }

  /** Until the minute is over. */
  #isShutOut(caller: string): boolean {
    return this.#isBroken(caller) || this.#isFlooding(caller)
  }

  #isBroken(caller: string): boolean {
    return (this.#broken.get(caller) ?? 0) >= this.#maxPerCaller
  }

  #noteBroken(caller: string, weight = 1): void {
    this.#broken.set(caller, (this.#broken.get(caller) ?? 0) + weight)
  }

  #isFlooding(caller: string): boolean {
    return (this.#refused.get(caller) ?? 0) >= this.#maxPerCaller * MAX_REFUSED
  }

  /** A caller that goes on far beyond its limit is disconnected until the minute is over. */
  #noteRefused(caller: string): void {
    this.#refused.set(caller, (this.#refused.get(caller) ?? 0) + 1)
    if (!this.#isFlooding(caller)) return
    for (const socket of this.#byCaller.get(caller) ?? []) socket.destroy()
  }

  #countOf(key: string): number {
    return this.#byCaller.get(key)?.size ?? 0
  }

  /** Whether there is room for one more of this caller. */
  #makeRoom(caller: string): boolean {
    if (this.#open.size < this.#maxInAll) return true
    let most: ReadonlySet<Socket> = new Set()
    for (const sockets of this.#byCaller.values()) if (sockets.size > most.size) most = sockets
    const isGreedy = this.#countOf(caller) + 1 < most.size
    // A caller that has connections gives up one of its own, not one of others.
    const pool = isGreedy ? most : (this.#byCaller.get(caller) ?? this.#idle)
    const [oldest] = most
    const candidate = firstOf(this.#idle, (socket) => pool.has(socket)) ?? (isGreedy ? oldest : undefined)
    if (candidate === undefined) return false
    // Its close event comes later, and others may arrive before.
    this.#remove(candidate)
    candidate.destroy()
    return true
  }

  #noteRequest(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    connection.responses.add(response)
    if (isTrickling(connection.parsed)) {
      this.#noteBroken(connection.keys[0])
      if (this.#isBroken(connection.keys[0])) socket.destroy()
    }
    Object.assign(connection.parsed, NOTHING_PARSED)
    connection.hadRequest = true
    this.#idle.delete(socket)
    let held: Holding | null = null
    // The answer is complete, and none or part of it is with the operating system.
    response.once('prefinish', () => {
      const size = response.writableLength
      if (size === 0) return
      held = { caller: clientKeyOf(callerAddress(request, this.#trustProxy)), size, displace: () => socket.destroy() }
      this.#waitingAnswers.add(held)
    })
    // Emitted once, whether the answer was sent or the caller hung up.
    response.once('close', () => {
      if (held !== null) this.#waitingAnswers.remove(held)
      if (response.statusCode === 429) this.#noteRefused(connection.keys[0])
      connection.responses.delete(response)
      if (connection.responses.size === 0 && this.#open.has(socket)) this.#idle.add(socket)
    })
  }

  /** A caller that takes no bytes, or a few now and then, keeps answers in memory. */
  #closeSlowReaders(now: number): void {
    for (const [socket, connection] of this.#open) {
      const taken = bytesTaken(socket)
      const { waiting } = connection
      if (socket.writableLength === 0) connection.waiting = null
      else if (waiting === null || taken - waiting.taken >= this.#minBytes) {
        connection.waiting = { taken, until: now + this.#sendTimeoutMs }
      } else if (now > waiting.until) socket.destroy()
    }
  }
}

function firstOf<T>(values: Iterable<T>, matches: (value: T) => boolean): T | undefined {
  for (const value of values) if (matches(value)) return value
  return undefined
}

/**
 * Node closes only the response that has the socket: those of pipelined requests behind it would never hear that their caller is
 * gone, and hold what they hold for ever.
 */
function closeResponses({ responses }: Connection): void {
  setImmediate(() => {
    for (const response of responses) {
      response.destroy()
      response.emit('close')
    }
  })
}

/** What the operating system has taken. Node's public count takes a write for taken when it begins, or when all of it is. */
function bytesTaken(socket: Socket): number {
  const { _bytesDispatched = 0, _handle } = socket as Socket & { _bytesDispatched?: number; _handle?: { writeQueueSize: number } | null }
  return _bytesDispatched - (_handle?.writeQueueSize ?? 0)
}
