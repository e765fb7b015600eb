import { setTimeout as delay } from 'node:timers/promises'
import type { Ask } from './ask.js'

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
