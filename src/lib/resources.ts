/** Closes opened resources in reverse order: at the end, or when a later one cannot be opened. */
export class DisposalStack {
  readonly #disposers: (() => unknown)[] = []

  adopt<T>(thing: T, dispose: (thing: T) => unknown): T {
    this.#disposers.unshift(() => dispose(thing))
    return thing
  }

  /** Returns the result of `open`. If it fails, closes everything and throws its error, not one of closing. */
  async disposeOnError<T>(open: () => Promise<T>): Promise<T> {
    try {
      return await open()
    } catch (error) {
      await this.dispose().catch(() => {})
      throw error
    }
  }

  /** Closes everything, even after a failure, then throws the first error. */
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

/** Opened when first needed, and again after a failure: readers can work without the log. */
export function lazyResource<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null
  let closed = false
  return {
    async get(): Promise<T> {
      // Otherwise it would be opened and never closed.
      if (closed) throw new Error('this resource has been closed')
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
