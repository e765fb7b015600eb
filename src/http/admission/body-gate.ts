import type { IncomingMessage } from 'node:http'
import { NETWORK_FACTOR, networkOf } from '../rate-limit/client-key.js'

export interface BodyGateOptions {
  /** Bodies that may be on their way at a time: of one caller, and in all. */
  maxPerCaller?: number
  maxInAll?: number
  /** How long a body may take. */
  timeoutMs?: number
  /** After this time it must have arrived at `minBytesPerS`, or be complete. */
  graceMs?: number
  minBytesPerS?: number
}

/** The body, or why there is none: it was too slow, others needed its place, or the caller hung up. */
export type BodyOutcome = Buffer | 'slow' | 'displaced' | 'gone'

interface ArrivingBody {
  keys: readonly string[]
  end(outcome: BodyOutcome): void
}

/**
 * Where bodies arrive, before their requests are admitted: who waits for a body holds no slot. A body usually comes with its
 * head and is gone at once, so whatever stays is slow. When there are too many, the one that came first has to go: a caller
 * whose body comes at once is never turned away, however many slow ones there are. One for all hosts of a process.
 */
export class BodyGate {
  readonly #maxPerCaller: number
  readonly #maxInAll: number
  readonly #timeoutMs: number
  readonly #graceMs: number
  readonly #minBytesPerS: number
  /** The oldest first, as in `#byCaller`. */
  readonly #arriving = new Set<ArrivingBody>()
  /** By caller, and by its network. */
  readonly #byCaller = new Map<string, Set<ArrivingBody>>()

  constructor({ maxPerCaller = 8, maxInAll = 256, timeoutMs = 10_000, graceMs = 3000, minBytesPerS = 1024 }: BodyGateOptions = {}) {
    this.#maxPerCaller = maxPerCaller
    this.#maxInAll = maxInAll
    this.#timeoutMs = timeoutMs
    this.#graceMs = Math.min(graceMs, timeoutMs)
    this.#minBytesPerS = minBytesPerS
  }

  /** How many bodies are on their way. */
  get size(): number {
    return this.#arriving.size
  }

  /** Reads a body. One that is longer than `maxBytes` is cut off after that: the reader sees that it is too long. */
  receive(request: IncomingMessage, caller: string, maxBytes: number, done: (outcome: BodyOutcome) => void): void {
    // It may have taken a while to count the request.
    if (request.destroyed) {
      done('gone')
      return
    }
    const chunks: Buffer[] = []
    let received = 0
    const startedAt = performance.now()
    const network = networkOf(caller)
    const body: ArrivingBody = {
      keys: network === null ? [caller] : [caller, network],
      end: (outcome) => {
        clearTimeout(timer)
        request.off('data', onData).off('end', onEnd).off('close', onClose).pause()
        this.#remove(body)
        done(outcome)
      },
    }
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      received += chunk.length
      if (received > maxBytes) onEnd()
    }
    const onEnd = () => body.end(Buffer.concat(chunks))
    const onClose = () => body.end('gone')
    const deadlineMs = () => Math.min(this.#timeoutMs, this.#graceMs + (received / this.#minBytesPerS) * 1000)
    const onTimer = () => {
      const leftMs = deadlineMs() - (performance.now() - startedAt)
      if (leftMs <= 0) body.end('slow')
      else timer = setTimeout(onTimer, Math.ceil(leftMs))
    }
    let timer = setTimeout(onTimer, deadlineMs())
    // Without a listener, a caller that hangs up would end the process.
    request.on('error', () => {})
    request.on('data', onData).on('end', onEnd).on('close', onClose)
    this.#add(body)
  }

  #add(body: ArrivingBody): void {
    this.#arriving.add(body)
    for (const [i, key] of body.keys.entries()) {
      const others = this.#byCaller.get(key) ?? new Set()
      this.#byCaller.set(key, others.add(body))
      if (others.size > this.#maxPerCaller * (i === 0 ? 1 : NETWORK_FACTOR)) displaceOldest(others)
    }
    if (this.#arriving.size > this.#maxInAll) displaceOldest(this.#arriving)
  }

  #remove(body: ArrivingBody): void {
    this.#arriving.delete(body)
    for (const key of body.keys) {
      const others = this.#byCaller.get(key)
      others?.delete(body)
      if (others?.size === 0) this.#byCaller.delete(key)
    }
  }
}

function displaceOldest(bodies: ReadonlySet<ArrivingBody>): void {
  const [oldest] = bodies
  oldest?.end('displaced')
}
