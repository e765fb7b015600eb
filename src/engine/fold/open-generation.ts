import type { Collection, DocumentStore, Generation, GenerationStore } from '../../ports/document-store.js'

/** The generation readers see; `null` before the first one is loaded. */
export async function liveGeneration(store: DocumentStore, projection: string): Promise<Generation | null> {
  return (await store.generations(projection)).find(({ state }) => state === 'live') ?? null
}

/** Opens a generation for as long as the work takes. */
export async function withGeneration<T>(
  store: DocumentStore,
  generation: Generation,
  collections: readonly Collection[],
  work: (opened: GenerationStore) => Promise<T>,
): Promise<T> {
  const opened = await store.openGeneration(generation, collections)
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
