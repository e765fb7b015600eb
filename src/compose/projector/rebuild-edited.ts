import { RequestStore } from '../../engine/requests/request-store.js'
import type { Config } from '../config.js'
import { generationsToReplace } from '../models/edited-declarations.js'
import type { ModelSet } from '../models/model-set.js'
import { withDocuments } from '../stores.js'

/**
 * For development: requests a rebuild of each model whose declaration has changed, without a new version. To be called before the
 * projector starts. Returns their names.
 */
export const rebuildEdited = (config: Config, { projections }: ModelSet): Promise<string[]> =>
  withDocuments(config, async (store) => {
    const requests = new RequestStore(store)
    const edited: string[] = []
    for (const projection of projections) {
      const { name, version } = projection
      const others = await generationsToReplace(store, projection)
      // What was begun with another declaration cannot be continued with this one.
      for (const generation of others.filter(({ state }) => state === 'loading')) {
        for (const request of await requests.open(name))
          if (request.generation === generation.number) await requests.finish(request, 'failed', 'its declaration has changed')
        await store.dropGeneration(generation)
      }
      if (!others.some(({ state }) => state === 'live')) continue
      await requests.submit(name, version, { kind: 'rebuild', maxRate: null })
      edited.push(name)
    }
    return edited
  })
