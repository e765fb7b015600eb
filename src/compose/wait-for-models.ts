/** What waits for the models at the start: `serve` before it says that it is ready, and the caches of ask. */

import { setTimeout as delay } from 'node:timers/promises'
import type { Ask } from '../ask/ask.js'
import { type DocumentStore, ModelUnavailableError, StoreUnavailableError } from '../ports/document-store.js'

type Documents = Pick<DocumentStore, 'snapshot' | 'onChange'>

/** Resolves to true once every model can be read, to false if stopped before. Checks only after changes. */
export async function waitForModels(documents: Documents, models: readonly string[], signal: AbortSignal): Promise<boolean> {
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

/** Requests that waited for the start come first. */
const WARM_UP_DELAY_MS = 2000

/** Fills the caches that the first question in each language needs. An error here is left to that question. */
export async function warmUpAsk(ask: Ask, documents: Documents, models: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    if (!(await waitForModels(documents, models, signal))) return
    await delay(WARM_UP_DELAY_MS, undefined, { signal, ref: false })
    await ask.warmUp(signal)
  } catch {}
}
