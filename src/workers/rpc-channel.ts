import { errorMessage } from '../lib/message-text.js'

/** Calls between two processes. Those of one turn of the event loop travel in one message: one each would cost more than the work. */
export interface Transport {
  send(message: MessageBatch): void
  onMessage(listener: (message: unknown) => void): void
}

type Call = [id: number, kind: string, content: unknown]
type Reply = [id: number, failed: boolean, content: unknown]

export interface MessageBatch {
  questions: Call[]
  replies: Reply[]
}

export type Handler = (content: never) => unknown

/** The other process is gone. */
export class ChannelClosedError extends Error {
  override name = 'ChannelClosedError'
}

export class RpcChannel {
  readonly #transport: Transport
  readonly #handlers: Readonly<Record<string, Handler>>
  readonly #pending = new Map<number, { resolve: (content: unknown) => void; reject: (error: Error) => void }>()
  #batch: MessageBatch = { questions: [], replies: [] }
  #flushScheduled = false
  #closed = false
  #lastId = 0

  /** `handlers`: by kind of call. */
  constructor(transport: Transport, handlers: Readonly<Record<string, Handler>>) {
    this.#transport = transport
    this.#handlers = handlers
    transport.onMessage((message) => this.#receive(message as MessageBatch))
  }

  call<T>(kind: string, content: unknown = null): Promise<T> {
    if (this.#closed) return Promise.reject(new ChannelClosedError(kind))
    const id = ++this.#lastId
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (content: unknown) => void, reject })
      this.#batch.questions.push([id, kind, content])
      this.#scheduleFlush()
    })
  }

  /** A call without a reply. */
  notify(kind: string, content: unknown): void {
    if (this.#closed) return
    this.#batch.questions.push([0, kind, content])
    this.#scheduleFlush()
  }

  /** Call it when the other process is gone. */
  close(): void {
    this.#closed = true
    for (const { reject } of this.#pending.values()) reject(new ChannelClosedError('the other process is gone'))
    this.#pending.clear()
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    setImmediate(() => {
      this.#flushScheduled = false
      const batch = this.#batch
      this.#batch = { questions: [], replies: [] }
      if (!this.#closed) this.#transport.send(batch)
    })
  }

  #receive({ questions, replies }: MessageBatch): void {
    for (const [id, failed, content] of replies) {
      const waiting = this.#pending.get(id)
      this.#pending.delete(id)
      if (failed) waiting?.reject(new Error(String(content)))
      else waiting?.resolve(content)
    }
    for (const [id, kind, content] of questions) void this.#handle(id, kind, content)
  }

  async #handle(id: number, kind: string, content: unknown): Promise<void> {
    let reply: Reply
    try {
      const handler = this.#handlers[kind]
      if (handler === undefined) throw new Error(`there is no handler for ${kind}`)
      // Each handler knows the type of its content: both ends are this program.
      reply = [id, false, await handler(content as never)]
    } catch (error) {
      reply = [id, true, errorMessage(error)]
    }
    if (id === 0 || this.#closed) return
    this.#batch.replies.push(reply)
    this.#scheduleFlush()
  }
}
