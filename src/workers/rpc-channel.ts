/** Questions and answers between two processes. Those of one turn travel together: a message each would cost more than the work. */
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

/** The other side is gone. */
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

  /** `handlers`: who answers which kind of question. */
  constructor(wire: Transport, handlers: Readonly<Record<string, Handler>>) {
    this.#transport = wire
    this.#handlers = handlers
    wire.onMessage((message) => this.#receive(message as MessageBatch))
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

  /** Nobody waits for an answer. */
  notify(kind: string, content: unknown): void {
    if (this.#closed) return
    this.#batch.questions.push([0, kind, content])
    this.#scheduleFlush()
  }

  /** To be called when the other side is gone. */
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
      const parcel = this.#batch
      this.#batch = { questions: [], replies: [] }
      if (!this.#closed) this.#transport.send(parcel)
    })
  }

  #receive({ questions, replies }: MessageBatch): void {
    for (const [id, failed, content] of replies) {
      const waiting = this.#pending.get(id)
      this.#pending.delete(id)
      if (failed) waiting?.reject(new Error(String(content)))
      else waiting?.resolve(content)
    }
    for (const [id, kind, content] of questions) this.#handle(id, kind, content)
  }

  #handle(id: number, kind: string, content: unknown): void {
    const reply = (failed: boolean, result: unknown) => {
      if (id === 0 || this.#closed) return
      this.#batch.replies.push([id, failed, result])
      this.#scheduleFlush()
    }
    try {
      const handler = this.#handlers[kind]
      if (handler === undefined) throw new Error(`nobody answers ${kind}`)
      // Each handler knows what is sent under its name: both ends are this program.
      const result = handler(content as never)
      if (result instanceof Promise) {
        result.then(
          (value) => reply(false, value),
          (error) => reply(true, String(error)),
        )
      } else reply(false, result)
    } catch (error) {
      reply(true, error instanceof Error ? error.message : error)
    }
  }
}
