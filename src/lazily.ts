/** Opened when first needed, and again after a failure: readers can do without the log. */
export function lazily<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null
  return {
    get(): Promise<T> {
      opened ??= open().catch((error) => {
        opened = null
        throw error
      })
      return opened
    },
    async close(): Promise<void> {
      const thing = await opened?.catch(() => null)
      await thing?.close()
    },
  }
}
