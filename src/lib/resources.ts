/** What has been opened, to be closed in the opposite order: at the end, or as soon as the next thing cannot be opened. */
export class Opened {
  readonly #closings: (() => unknown)[] = []

  keep<T>(thing: T, close: (thing: T) => unknown): T {
    this.#closings.unshift(() => close(thing))
    return thing
  }

  /** Gives what `open` gives. When that fails nothing stays open, and the failure is its own, whatever closing says. */
  async unlessFailing<T>(open: () => Promise<T>): Promise<T> {
    try {
      return await open()
    } catch (error) {
      await this.close().catch(() => {})
      throw error
    }
  }

  /** Closes everything, whatever fails in between; then fails with the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.#closings.splice(0)) {
      try {
        await close()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
