import { statSync } from 'node:fs'
import type { Copier } from './copier.js'
import type { Connection } from './database.js'

/** A reader lets go of an old page within a request; until then it is tried again this often. */
const AGAIN_MS = 50
/** Hot pages are written again and again: let many commits pass before they are copied. In bytes. */
const LARGE = 8 << 20

/**
 * The write-ahead log of one file, as its writer sees it. It keeps the pages from before an erasure, and grows, until it is
 * emptied: its pages are copied into the file, then it is cut to nothing. Nobody waits for that: a reader may hold on to an
 * old page for as long as it likes, and the projector must go on meanwhile. With a copier the writer's thread only cuts.
 */
export class WriteAheadLog {
  readonly #db: Connection
  readonly #path: string
  readonly #copier: Copier | null
  #copying: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #toForget = false
  #closed = false

  /** Without a copier SQLite itself keeps it from growing, inside the writer's commits (`wal_autocheckpoint`). */
  constructor(db: Connection, path: string, copier: Copier | null) {
    this.#db = db
    this.#path = path
    this.#copier = copier
  }

  /** Rids the file of old pages, as soon as no reader holds on to one any more. */
  forget(): void {
    if (this.#size === 0) return
    this.#toForget = true
    this.#begin()
  }

  /** Keeps it from growing. */
  committed(): void {
    if (this.#copier === null || this.#isUnderWay) return
    if (this.#size > LARGE) this.#begin()
  }

  /** Tries a last time. The last connection of all to close a file empties its write-ahead log anyway, and so does the next leader. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#copying
    if (this.#toForget) this.#cut()
    this.#toForget = false
  }

  get #size(): number {
    return statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  }

  get #isUnderWay(): boolean {
    return this.#copying !== null || this.#timer !== null
  }

  #begin(): void {
    if (this.#isUnderWay || this.#closed) return
    if (this.#copier === null) {
      this.#end(true)
      return
    }
    this.#copying = this.#copier.copy(this.#path).then((copied) => {
      this.#copying = null
      if (!this.#closed) this.#end(copied)
    })
  }

  /** Where many pages are left, only an erasure is worth holding up the writer. */
  #end(copied: boolean): void {
    if ((copied || this.#toForget) && this.#cut()) {
      this.#toForget = false
      return
    }
    this.#timer = setTimeout(() => {
      this.#timer = null
      if (this.#toForget) this.#begin()
    }, AGAIN_MS)
    this.#timer.unref()
  }

  #cut(): boolean {
    if (this.#db.inTransaction) return false
    const patience = this.#db.prepare('PRAGMA busy_timeout').raw().get() as unknown as [number]
    this.#db.exec('PRAGMA busy_timeout = 0')
    try {
      const [busy] = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().get() as unknown as [number]
      return busy === 0
    } catch {
      // A full or failing disk: the next commit will say so, to somebody who can tell.
      return false
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${patience[0]}`)
    }
  }
}
