import { type DocumentStore, ModelUnavailableError, StoreUnavailableError } from '../ports/document-store.js'

/** Settles once every one of the models can be read; `false` when told to stop before. Asks only when something has changed. */
export async function waitForModels(
  documents: Pick<DocumentStore, 'snapshot' | 'onChange'>,
  models: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  let wake = () => {}
  const news = () => wake()
  const stop = documents.onChange(news)
  signal.addEventListener('abort', news)
  try {
    while (!signal.aborted) {
      // Before looking: what comes meanwhile must not be missed.
      const change = new Promise<void>((resolve) => {
        wake = resolve
      })
      try {
        ;(await documents.snapshot(models)).release()
        return true
      } catch (error) {
        if (!(error instanceof ModelUnavailableError || error instanceof StoreUnavailableError)) throw error
      }
      await change
    }
    return false
  } finally {
    stop()
    signal.removeEventListener('abort', news)
  }
}
