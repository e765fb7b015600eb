import { type FSWatcher, watch } from 'node:fs'

/** How often to look anyway, in case the operating system lost a notice. */
const SAFETY_MS = 1000

/**
 * Tells when a folder's files change, in whichever process the change was made. SQLite has no notices of its own,
 * but every commit writes to a file, and the operating system reports that without polling.
 */
export class FileSignal {
  readonly #listeners = new Set<() => void>()
  readonly #waiting = new Set<() => void>()
  readonly #watcher: FSWatcher
  readonly #safety: NodeJS.Timeout
  #closed = false

  constructor(folder: string, concerns: (file: string) => boolean) {
    this.#watcher = watch(folder, { persistent: false }, (_kind, file) => {
      if (file === null || concerns(file)) this.fire()
    })
    // A folder deleted under us ends the notices; whoever works in it will fail with a clearer error.
    this.#watcher.on('error', () => {})
    this.#safety = setInterval(() => this.fire(), SAFETY_MS)
    this.#safety.unref()
  }

  /** For changes made in this process: no need to wait for the operating system. */
  fire(): void {
    for (const listener of this.#listeners) listener()
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Settles once `happened` says yes, asked now and at every signal, or when `signal` aborts, or at the end of it all. */
  async until(happened: () => boolean, signal: AbortSignal): Promise<void> {
    if (this.#closed || signal.aborted || happened()) return
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        unlisten()
        signal.removeEventListener('abort', stop)
        this.#waiting.delete(stop)
        if (this.#waiting.size === 0) this.#safety.unref()
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
      this.#safety.ref()
    })
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#safety)
    this.#watcher.close()
    this.#listeners.clear()
    for (const stop of this.#waiting) stop()
  }
}
