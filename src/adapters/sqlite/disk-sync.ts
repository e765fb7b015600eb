import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

/**
 * Brings the write-ahead log of a file to the disk in another thread, which `synchronous=FULL` does inside each commit: a slow
 * disk would hold up every reader of the process. Open it after the file. SQLite locks the file itself, never the log, so closing
 * the log a second time releases no lock.
 */
export class DiskSync {
  readonly #log: number
  readonly #sync: (file: number) => Promise<void>
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(path: string, sync: (file: number) => Promise<void> = promisify(fdatasync)) {
    this.#log = openSync(`${path}-wal`, 'r+')
    this.#sync = sync
  }

  /** Once it resolves, what was committed before the call survives a power cut. Commits that wait for another's turn share one. */
  reached(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null
        this.#running = this.#sync(this.#log)
        return this.#running
      })
    return this.#next
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => {})
    closeSync(this.#log)
  }
}
