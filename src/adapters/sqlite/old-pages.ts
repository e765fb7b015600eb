import type { Connection } from './database.js'

/** A reader lets go of an old page within a request; until then it is asked again this often. */
const AGAIN_MS = 50

/**
 * Rids a file of its pages from before an erasure, which the write-ahead log keeps until it is emptied. Nobody waits for
 * it: a reader may hold on to an old page for as long as it likes, and the projector must go on meanwhile.
 */
export class OldPages {
  readonly #db: Connection
  #timer: NodeJS.Timeout | null = null

  constructor(db: Connection) {
    this.#db = db
  }

  /** As soon as no reader holds on to one any more. */
  forget(): void {
    if (this.#timer !== null || this.#forgotten()) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.forget()
    }, AGAIN_MS)
    this.#timer.unref()
  }

  /** Tries a last time. The last connection of all to close a file empties its write-ahead log anyway. */
  close(): void {
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    this.#forgotten()
  }

  #forgotten(): boolean {
    if (this.#db.inTransaction) return false
    const patience = this.#db.prepare('PRAGMA busy_timeout').raw().get() as unknown as [number]
    this.#db.exec('PRAGMA busy_timeout = 0')
    try {
      const [busy] = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().get() as unknown as [number]
      return busy === 0
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${patience[0]}`)
    }
  }
}
