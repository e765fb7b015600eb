import { setTimeout as delay } from 'node:timers/promises'
import type { Ask } from '../ask/ask.js'
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

/** Requests that waited for the start come first. */
const START_DELAY_MS = 2000

/**
 * Fills the caches that the first question in each language needs, once there are models. An error here is left to that
 * question.
 */
export function warmUpInBackground(ask: Ask, loaded: (signal: AbortSignal) => Promise<boolean>): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const prepared = async () => {
    if (!(await loaded(stopping.signal))) return
    await delay(START_DELAY_MS, undefined, { signal: stopping.signal, ref: false })
    await ask.warmUp(stopping.signal)
  }
  const done = prepared().catch(() => {})
  return {
    stop() {
      stopping.abort()
      return done
    },
  }
}
