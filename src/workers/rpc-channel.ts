/** Questions and answers between two processes. Those of one turn travel together: a message each would cost more than the work. */
export interface Wire {
  send(message: Parcel): void
  onMessage(listener: (message: unknown) => void): void
}

type Question = [id: number, kind: string, content: unknown]
type Reply = [id: number, failed: boolean, content: unknown]

export interface Parcel {
  questions: Question[]
  replies: Reply[]
}

export type Handler = (content: never) => unknown

/** The other side is gone. */
export class LineClosedError extends Error {
  override name = 'LineClosedError'
}

export class Line {
  readonly #wire: Wire
  readonly #handlers: Readonly<Record<string, Handler>>
  readonly #waiting = new Map<number, { resolve: (content: unknown) => void; reject: (error: Error) => void }>()
  #parcel: Parcel = { questions: [], replies: [] }
  #leaving = false
  #closed = false
  #last = 0

  /** `handlers`: who answers which kind of question. */
  constructor(wire: Wire, handlers: Readonly<Record<string, Handler>>) {
    this.#wire = wire
    this.#handlers = handlers
    wire.onMessage((message) => this.#receive(message as Parcel))
  }

  ask<T>(kind: string, content: unknown = null): Promise<T> {
    if (this.#closed) return Promise.reject(new LineClosedError(kind))
    const id = ++this.#last
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (content: unknown) => void, reject })
      this.#parcel.questions.push([id, kind, content])
      this.#leave()
    })
  }

  /** Nobody waits for an answer. */
  tell(kind: string, content: unknown): void {
    if (this.#closed) return
    this.#parcel.questions.push([0, kind, content])
    this.#leave()
  }

  /** To be called when the other side is gone. */
  close(): void {
    this.#closed = true
    for (const { reject } of this.#waiting.values()) reject(new LineClosedError('the other process is gone'))
    this.#waiting.clear()
  }

  #leave(): void {
    if (this.#leaving) return
    this.#leaving = true
    setImmediate(() => {
      this.#leaving = false
      const parcel = this.#parcel
      this.#parcel = { questions: [], replies: [] }
      if (!this.#closed) this.#wire.send(parcel)
    })
  }

  #receive({ questions, replies }: Parcel): void {
    for (const [id, failed, content] of replies) {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (failed) waiting?.reject(new Error(String(content)))
      else waiting?.resolve(content)
    }
    for (const [id, kind, content] of questions) this.#answer(id, kind, content)
  }

  #answer(id: number, kind: string, content: unknown): void {
    const reply = (failed: boolean, result: unknown) => {
      if (id === 0 || this.#closed) return
      this.#parcel.replies.push([id, failed, result])
      this.#leave()
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
