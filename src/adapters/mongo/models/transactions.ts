import { type ClientSession, type MongoClient, MongoError } from 'mongodb'
import { answered } from '../errors.js'

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

  #attempt<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    return this.#retryOn('TransientTransactionError', async () => {
      try {
        this.#session.startTransaction(TRANSACTION_OPTIONS)
        const result = await work(this.#session)
        await this.#retryOn('UnknownTransactionCommitResult', () => answered(this.#session.commitTransaction()))
        return result
      } finally {
        if (this.#session.inTransaction()) await answered(this.#session.abortTransaction()).catch(() => {})
      }
    })
  }

  async #retryOn<T>(label: string, call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call()
      } catch (error) {
        if (attempt >= this.#attempts || !(error instanceof MongoError && error.hasErrorLabel(label))) throw error
      }
    }
  }
}
