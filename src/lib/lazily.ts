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
