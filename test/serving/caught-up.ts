import { projections } from '../../projections/index.js'
import { type DocumentStore, ModelUnavailableError } from '../../src/ports/document-store.js'

const MODELS = projections.map(({ name }) => name)

/** Settles once every model is live and has come as far as `position`. */
export async function caughtUp(documents: DocumentStore, position: number): Promise<void> {
  // A listener alone does not keep the process running, and while it waits there may be nothing else that does.
  const awake = setInterval(() => {}, 1000)
  try {
    while ((await lowestPosition(documents)) < position) await nextChange(documents)
  } finally {
    clearInterval(awake)
  }
}

/** -1 while a model has never been loaded. */
async function lowestPosition(documents: DocumentStore): Promise<number> {
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

function nextChange(documents: DocumentStore): Promise<void> {
  return new Promise((resolve) => {
    const stop = documents.onChange(() => {
      stop()
      resolve()
    })
  })
}
