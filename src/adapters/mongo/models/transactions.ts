import { type ClientSession, type MongoClient, MongoError } from 'mongodb'

/** Attempts at a transaction that conflicts with others, or meets a primary that steps down. After that the engine retries. */
const ATTEMPTS = 20

const TRANSACTION_OPTIONS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' }, readPreference: 'primary' } as const

/**
 * Runs transactions in one server session, one after the other. As the driver's error labels demand, a transient error
 * repeats the whole transaction, and an unknown outcome repeats only the commit.
 */
export class Transactions {
  readonly #session: ClientSession
  readonly #attempts: number
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: MongoClient, attempts = ATTEMPTS) {
    this.#attempts = attempts
    this.#session = client.startSession({ causalConsistency: false })
  }

  /** The server's id of the session. */
  get id() {
    return this.#session.id?.id ?? null
  }

  /** `work` may run several times; an attempt that seemed to fail may have been committed. */
  run<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#attempt(work))
    this.#last = turn.catch(() => {})
    return turn
  }

  async close(): Promise<void> {
    await this.#last
    await this.#session.endSession()
  }

  async #attempt<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#session.startTransaction(TRANSACTION_OPTIONS)
        const result = await work(this.#session)
        await this.#commit()
        return result
      } catch (error) {
        if (this.#session.inTransaction()) await this.#session.abortTransaction().catch(() => {})
        if (attempt >= this.#attempts || !hasLabel(error, 'TransientTransactionError')) throw error
      }
    }
  }

  async #commit(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#session.commitTransaction()
      } catch (error) {
        if (attempt >= this.#attempts || !hasLabel(error, 'UnknownTransactionCommitResult')) throw error
      }
    }
  }
}

const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label)
