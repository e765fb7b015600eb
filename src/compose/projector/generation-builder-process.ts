/** Entry of the process that builds one generation: see `generation-builder.ts`. */

import { getPriority, setPriority } from 'node:os'
import { withDeadLetters } from '../../engine/definition/dead-letter-collections.js'
import { ForeignLogError } from '../../engine/fold/log-identity.js'
import { buildGeneration } from '../../engine/generations/build-generation.js'
import { NewPoisonError } from '../../engine/generations/switch-over.js'
import { requireAccepted } from '../models/accepted-models.js'
import { loadModels } from '../models/load-models.js'
import { withStores } from '../stores.js'
import { BACKGROUND_NICENESS, type BuildMessage, type BuildTask } from './generation-builder.js'

// Readers and live events come first if processors are scarce.
setPriority(Math.max(getPriority(), BACKGROUND_NICENESS))

// A terminal or a supervisor signals all processes. The parent says when this one stops, and it ends with the parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.once('disconnect', () => process.exit(1))

const stop = new AbortController()
const { config, job } = await new Promise<BuildTask>((resolve) => {
  process.on('message', (message: BuildTask | 'stop') => {
    if (message === 'stop') stop.abort()
    else resolve(message)
  })
})

const send = (message: BuildMessage) => new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()))

try {
  await build()
  await send({ ended: process.resourceUsage() })
} catch (error) {
  if (error instanceof NewPoisonError) await send({ poison: [...error.poison] })
  else if (error instanceof ForeignLogError) await send({ foreign: error.message })
  else await send({ failed: error instanceof Error ? error : new Error(String(error)) })
}
// A connection that a library forgot would keep the process alive.
process.exit()

async function build(): Promise<void> {
  const models = await loadModels(config)
  const found = models.projections.find(({ name }) => name === job.projection)
  if (found === undefined) throw new Error(`there is no projection ${job.projection}`)
  const projection = withDeadLetters(found)
  await withStores(config, async ({ log, documents: store }) => {
    await requireAccepted(store, models)
    await buildGeneration({ projection, store, log }, job, stop.signal, (reached) => void send({ reached }))
  })
}
