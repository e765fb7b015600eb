/** Entry of a process that brings one generation up: see `bring-up-in-process.ts`. */
import { getPriority, setPriority } from 'node:os'
import { withDeadLetters } from '../engine/definition/dead-letter-collections.js'
import { ForeignLogError } from '../engine/fold/log-identity.js'
import { buildGeneration } from '../engine/generations/build-generation.js'
import { NewPoisonError } from '../engine/generations/new-poison.js'
import { BACKGROUND_NICENESS, type BuildMessage, type BuildTask } from './generation-builder.js'
import { projections } from './models.js'
import { openDocuments, openLog } from './stores.js'

// Readers and live events come first when processors are scarce.
setPriority(Math.max(getPriority(), BACKGROUND_NICENESS))

// A terminal, or whoever ends a service, tells all of its processes. This one is told by the one that began it, and goes with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.once('disconnect', () => process.exit(1))

const stop = new AbortController()
const { config, job } = await new Promise<BuildTask>((resolve) => {
  process.on('message', (message: BuildTask | 'stop') => {
    if (message === 'stop') stop.abort()
    else resolve(message)
  })
})

const tell = (told: BuildMessage) => new Promise<void>((resolve) => process.send?.(told, undefined, undefined, () => resolve()))

try {
  await build()
  await tell({ ended: process.resourceUsage() })
} catch (error) {
  if (error instanceof NewPoisonError) await tell({ poison: [...error.poison] })
  else if (error instanceof ForeignLogError) await tell({ foreign: error.message })
  else await tell({ failed: error instanceof Error ? error : new Error(String(error)) })
}
// A connection that a library has lost sight of would keep it.
process.exit()

async function build(): Promise<void> {
  const projection = projections.find(({ name }) => name === job.projection)
  if (projection === undefined) throw new Error(`there is no projection ${job.projection}`)
  const whole = withDeadLetters(projection)
  const log = await openLog(config)
  try {
    const store = await openDocuments(config)
    try {
      await buildGeneration({ projection: whole, store, log }, job, stop.signal, (reached) => void tell({ reached }))
    } finally {
      await store.close()
    }
  } finally {
    await log.close()
  }
}
