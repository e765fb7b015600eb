import { type DocumentStore, ModelUnavailableError, StoreUnavailableError } from '../../src/ports/document-store.js'
import { projections } from '../support/built-in-models.js'

const MODELS = projections.map(({ name }) => name)

/** Resolves once every model is live and has reached `position`. */
export async function caughtUp(documents: DocumentStore, position: number): Promise<void> {
  // A listener alone does not keep the process running, and while it waits there may be nothing else that does.
  const awake = setInterval(() => {}, 1000)
  try {
    for (;;) {
      // Listening begins before looking, so that nothing is missed in between.
      const { changed, stop } = nextChange(documents)
      try {
        if ((await lowestPosition(documents)) >= position) return
        await changed
      } catch (error) {
        // A store that is slow on a busy machine is asked again.
        if (!(error instanceof StoreUnavailableError)) throw error
      } finally {
        stop()
      }
    }
  } finally {
    clearInterval(awake)
  }
}

/** -1 while a model has never been loaded. */
export async function lowestPosition(documents: DocumentStore): Promise<number> {
  try {
    const snapshot = await documents.snapshot(MODELS)
    try {
      return Math.min(...MODELS.map((name) => snapshot.model(name).checkpoint.position))
    } finally {
      snapshot.release()
    }
  } catch (error) {
    if (error instanceof ModelUnavailableError) return -1
    throw error
  }
}

function nextChange(documents: DocumentStore): { changed: Promise<void>; stop: () => void } {
  let stop = () => {}
  const changed = new Promise<void>((resolve) => {
    stop = documents.onChange(resolve)
  })
  return { changed, stop }
}
