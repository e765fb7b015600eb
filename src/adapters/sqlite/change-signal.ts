import { closeSync, type FSWatcher, futimesSync, openSync, watch } from 'node:fs'
import { join } from 'node:path'

/** How often to look anyway, in case the operating system lost a notice. */
const FALLBACK_POLL_MS = 1000

/**
 * Touched after every commit, and the only file that is watched: a commit writes thousands of pages, each with a notice
 * of its own, and a moment before it lets other processes see them.
 */
const SIGNAL_FILE = '.changed'

/**
 * Tells when something was committed in a folder, in whichever process. SQLite has no notices of its own, but the
 * operating system reports a touched file without polling.
 */
export class ChangeSignal {
  readonly #listeners = new Set<() => void>()
  readonly #waiting = new Set<() => void>()
  readonly #signalFile: number
  readonly #watcher: FSWatcher
  readonly #fallbackPoll: NodeJS.Timeout
  #closed = false

  constructor(folder: string) {
    const bell = join(folder, SIGNAL_FILE)
    this.#signalFile = openSync(bell, 'a')
    this.#watcher = watch(bell, { persistent: false }, () => this.#notify())
    // A folder deleted under us ends the notices; whoever works in it will fail with a clearer error.
    this.#watcher.on('error', () => {})
    this.#fallbackPoll = setInterval(() => this.#notify(), FALLBACK_POLL_MS)
    this.#fallbackPoll.unref()
  }

  /** To be called after a commit: tells this process at once, and the others through the operating system. */
  fire(): void {
    if (this.#closed) return
    const now = new Date()
    futimesSync(this.#signalFile, now, now)
    this.#notify()
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Settles once `happened` says yes, asked now and at every signal, or when `signal` aborts, or when this is closed. */
  async until(happened: () => boolean, signal: AbortSignal): Promise<void> {
    if (this.#closed || signal.aborted || happened()) return
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        unlisten()
        signal.removeEventListener('abort', stop)
        this.#waiting.delete(stop)
        if (this.#waiting.size === 0) this.#fallbackPoll.unref()
        resolve()
      }
      const unlisten = this.listen(() => {
        try {
          if (happened()) stop()
        } catch (error) {
          reject(error)
          stop()
        }
      })
      signal.addEventListener('abort', stop)
      this.#waiting.add(stop)
      // Somebody awaits this, so the process must not end for want of other work.
      this.#fallbackPoll.ref()
    })
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#fallbackPoll)
    this.#watcher.close()
    closeSync(this.#signalFile)
    this.#listeners.clear()
    for (const stop of this.#waiting) stop()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
