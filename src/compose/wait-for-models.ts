import { type DocumentStore, ModelUnavailableError, StoreUnavailableError } from '../ports/document-store.js'

/** Resolves to true once every model can be read, to false if stopped before. Checks only after changes. */
export async function waitForModels(
  documents: Pick<DocumentStore, 'snapshot' | 'onChange'>,
  models: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  let wake = () => {}
  const onChange = () => wake()
  const stop = documents.onChange(onChange)
  signal.addEventListener('abort', onChange)
  try {
    while (!signal.aborted) {
      // Before checking: a change in between must not be missed.
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
    signal.removeEventListener('abort', onChange)
  }
}
