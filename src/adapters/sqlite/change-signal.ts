import { EventEmitter, once } from 'node:events'
import { closeSync, type FSWatcher, futimesSync, openSync, watch } from 'node:fs'
import { join } from 'node:path'

/** How often to notify without a signal, in case the operating system lost one. */
const FALLBACK_POLL_MS = 1000

/**
 * Touched after every commit, and the only file that is watched. The database file would not do: a commit causes a
 * notice for each of its thousands of pages, and before other processes can see them.
 */
const SIGNAL_FILE = '.changed'

/**
 * Signals commits in a folder, by any process. SQLite has no notifications, but the operating system reports a touched
 * file without polling.
 */
export class ChangeSignal {
  /** Emits `signal` for listeners, then `wake` for those who wait. */
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly #signalFile: number
  readonly #watcher: FSWatcher
  readonly #fallbackPoll: NodeJS.Timeout
  #waiting = 0
  #closed = false

  constructor(folder: string) {
    const path = join(folder, SIGNAL_FILE)
    this.#signalFile = openSync(path, 'a')
    this.#watcher = watch(path, { persistent: false }, () => this.#notify())
    // A deleted folder ends the signals; the next query fails with a clearer error.
    this.#watcher.on('error', () => {})
    this.#fallbackPoll = setInterval(() => this.#notify(), FALLBACK_POLL_MS)
    this.#fallbackPoll.unref()
  }

  /** Call it after a commit. It notifies this process at once, and others through the operating system. */
  fire(): void {
    if (this.#closed) return
    const now = new Date()
    futimesSync(this.#signalFile, now, now)
    this.#notify()
  }

  listen(listener: () => void): () => void {
    this.#events.on('signal', listener)
    return () => this.#events.off('signal', listener)
  }

  /** Settles once `happened` returns true, tested now and at every signal, or when `signal` aborts or this is closed. */
  async until(happened: () => boolean, signal: AbortSignal): Promise<void> {
    this.#waiting += 1
    // The caller waits for this, so the process must not end for lack of other work.
    this.#fallbackPoll.ref()
    try {
      while (!this.#closed && !signal.aborted && !happened()) await once(this.#events, 'wake', { signal }).catch(() => {})
    } finally {
      this.#waiting -= 1
      if (this.#waiting === 0) this.#fallbackPoll.unref()
    }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#fallbackPoll)
    this.#watcher.close()
    closeSync(this.#signalFile)
    this.#events.removeAllListeners('signal')
    this.#notify()
  }

  #notify(): void {
    this.#events.emit('signal')
    this.#events.emit('wake')
  }
}
