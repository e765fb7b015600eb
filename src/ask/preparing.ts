import { type DocumentStore, ModelUnavailableError } from '../ports/document-store.js'
import type { Ask } from './ask.js'

/**
 * Reads, once there are models and while nobody waits, what the first question in each language needs. Whatever goes wrong
 * is left to that question.
 */
export function prepareInBackground(ask: Ask, documents: Pick<DocumentStore, 'onChange'>): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const done = prepared(ask, documents, stopping.signal).catch(() => {})
  return {
    stop() {
      stopping.abort()
      return done
    },
  }
}

async function prepared(ask: Ask, documents: Pick<DocumentStore, 'onChange'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await ask.prepare(signal)
    } catch (error) {
      if (!(error instanceof ModelUnavailableError)) throw error
    }
    await changed(documents, signal)
  }
}

function changed(documents: Pick<DocumentStore, 'onChange'>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const stop = documents.onChange(done)
    signal.addEventListener('abort', done, { once: true })
  })
}
