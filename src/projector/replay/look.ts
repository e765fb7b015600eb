import type { DocumentStore, ModelView } from '../../ports/document-store.js'
import type { Projection } from '../definition.js'

/** Another version's documents cannot be expected to come out the same. */
export class OtherVersionError extends Error {
  override name = 'OtherVersionError'
}

/** The live model at one moment, which the store keeps for as long as the work takes. */
export async function look<T>(store: DocumentStore, { name, version }: Projection, work: (view: ModelView) => Promise<T>): Promise<T> {
  const snapshot = await store.snapshot([name])
  try {
    const view = snapshot.model(name)
    if (view.generation.version !== version) {
      throw new OtherVersionError(
        `${name} is served by version ${view.generation.version}, and this is version ${version}: rebuild it first`,
      )
    }
    return await work(view)
  } finally {
    snapshot.release()
  }
}
