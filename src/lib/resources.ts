/** What has been opened, to be closed in the opposite order: at the end, or as soon as the next thing cannot be opened. */
export class DisposalStack {
  readonly #disposers: (() => unknown)[] = []

  adopt<T>(thing: T, dispose: (thing: T) => unknown): T {
    this.#disposers.unshift(() => dispose(thing))
    return thing
  }

  /** Gives what `open` gives. When that fails nothing stays open, and the failure is its own, whatever closing says. */
  async disposeOnError<T>(open: () => Promise<T>): Promise<T> {
    try {
      return await open()
    } catch (error) {
      await this.dispose().catch(() => {})
      throw error
    }
  }

  /** Closes everything, whatever fails in between; then fails with the first failure. */
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

/** Opened when first needed, and again after a failure: readers can do without the log. */
export function lazyResource<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null
  let closed = false
  return {
    async get(): Promise<T> {
      // Whoever still asks would leave something open that nobody closes.
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
