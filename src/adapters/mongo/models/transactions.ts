import { type ClientSession, type MongoClient, MongoError } from 'mongodb'

/** Attempts at a transaction that meets others, or a primary on its way out, before the engine's own patience takes over. */
const ATTEMPTS = 20

const TRANSACTION_OPTIONS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' }, readPreference: 'primary' } as const

/**
 * Runs transactions in one server session, one after the other. A transaction that the driver labels transient is run
 * again from its beginning, a commit whose outcome is unknown is only sent again: exactly what the labels mean.
 */
export class Transactions {
  readonly #session: ClientSession
  readonly #attempts: number
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: MongoClient, attempts = ATTEMPTS) {
    this.#attempts = attempts
    this.#session = client.startSession({ causalConsistency: false })
  }

  /** The session's id on the server. */
  get id() {
    return this.#session.id?.id ?? null
  }

  /** `work` may run several times; an attempt that seemed to fail may have been committed after all. */
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
