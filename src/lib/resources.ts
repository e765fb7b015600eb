/** Opened resources, closed in reverse order: at the end, or as soon as another one fails to open. */
export class DisposalStack {
  readonly #disposers: (() => unknown)[] = []

  adopt<T>(thing: T, dispose: (thing: T) => unknown): T {
    this.#disposers.unshift(() => dispose(thing))
    return thing
  }

  /** Returns what `open` returns. If that fails, everything is closed and its error is thrown, not one of closing. */
  async disposeOnError<T>(open: () => Promise<T>): Promise<T> {
    try {
      return await open()
    } catch (error) {
      await this.dispose().catch(() => {})
      throw error
    }
  }

  /** Closes everything, then throws the first error. */
  async dispose(): Promise<void> {
    const failures: unknown[] = []
    for (const dispose of this.#disposers.splice(0)) {
      try {
        await dispose()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}

/** Opened on first use, and again after a failure. */
export function lazyResource<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null
  let closed = false
  return {
    async get(): Promise<T> {
      // Opening it now would leave it open for good.
      if (closed) throw new Error('what is asked for has been closed')
      opened ??= open().catch((error) => {
        opened = null
        throw error
      })
      return opened
    },
    async close(): Promise<void> {
      closed = true
      const thing = await opened?.catch(() => null)
      await thing?.close()
    },
  }
}
