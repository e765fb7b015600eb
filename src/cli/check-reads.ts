import { demoLog } from '../../demo/index.js'
import { withOwnDemoEvents } from '../compose/models/demo-events.js'
import type { ModelSet } from '../compose/models/model-set.js'
import { withScratchStore } from '../compose/stores.js'
import type { Position } from '../events/index.js'
import { fold } from '../testing/fold.js'
import { CommandError } from './command-line.js'

/**
 * Folds a small demo community into the declared models, with functions that get only what they name. Custom models are stripped of
 * their types, so a field that is read without being named would give stale values, silently.
 */
export async function checkReads(models: ModelSet, webUrl: string): Promise<void> {
  const events = withOwnDemoEvents(demoLog({ creators: 10, creations: 30, seed: 1, webUrl }), models)
  const records = [...events].map((record, i) => ({ ...record, ...AT_HAND, position: (i + 1) as Position }))
  await withScratchStore(async (store) => {
    for (const projection of models.projections)
      if (projection.strict !== undefined)
        await fold(store, projection, [records]).catch((error) => {
          throw new CommandError(error.message)
        })
  })
}

/** Later than the demo. */
const AT_HAND = { appendedAt: Date.UTC(2100, 0, 1), storedAt: Date.UTC(2100, 0, 1) }
