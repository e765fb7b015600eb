/** Runs one at a time: all calls during a run are answered by one more run after it. Settles when the last run has ended. */
export function coalesce(run: () => Promise<void>): () => Promise<void> {
  let again = false
  let running: Promise<void> | null = null
  const runUntilDone = async () => {
    try {
      while (again) {
        again = false
        await run()
      }
    } finally {
      // In the same turn as the last check, so that no call in between is lost.
      running = null
    }
  }
  return () => {
    again = true
    running ??= runUntilDone()
    return running
  }
}
