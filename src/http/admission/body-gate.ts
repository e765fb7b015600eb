import type { IncomingMessage } from 'node:http'
import { HeldByCallers, type Holding } from './held-by-callers.js'

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

/** The body, or why there is none: too slow, others needed its place, too many pieces, or the caller hung up. */
export type BodyOutcome = Buffer | 'slow' | 'displaced' | 'pieces' | 'gone'

/** Each chunk of a chunked body costs as much as a packet. A body of the largest size comes in about fifty packets. */
export const MAX_PIECES = 256

/**
 * Where bodies arrive, before their requests are admitted: who waits for a body holds no slot. A body usually comes with its
 * head and is gone at once, so a caller whose body comes at once is never turned away, however many slow ones there are. One for
 * all hosts of a process.
 */
export class BodyGate {
  readonly #arriving: HeldByCallers<Holding>
  readonly #timeoutMs: number
  readonly #graceMs: number
  readonly #minBytesPerS: number

  constructor({ maxPerCaller = 8, maxInAll = 256, timeoutMs = 10_000, graceMs = 3000, minBytesPerS = 1024 }: BodyGateOptions = {}) {
    this.#arriving = new HeldByCallers(maxPerCaller, maxInAll)
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
    const end = (outcome: BodyOutcome) => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onClose).pause()
      this.#arriving.remove(body)
      done(outcome)
    }
    const body: Holding = { caller, size: 1, displace: () => end('displaced') }
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      received += chunk.length
      if (received > maxBytes) onEnd()
      else if (chunks.length > MAX_PIECES) end('pieces')
    }
    const onEnd = () => end(Buffer.concat(chunks))
    const onClose = () => end('gone')
    const deadlineMs = () => Math.min(this.#timeoutMs, this.#graceMs + (received / this.#minBytesPerS) * 1000)
    const onTimer = () => {
      const leftMs = deadlineMs() - (performance.now() - startedAt)
      if (leftMs <= 0) end('slow')
      else timer = setTimeout(onTimer, Math.ceil(leftMs))
    }
    let timer = setTimeout(onTimer, deadlineMs())
    // Without a listener, a caller that hangs up would end the process.
    request.on('error', () => {})
    request.on('data', onData).on('end', onEnd).on('close', onClose)
    this.#arriving.add(body)
  }
}
