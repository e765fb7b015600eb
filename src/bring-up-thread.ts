/** Entry of a thread that brings one generation up: see `bring-up-in-thread.ts`. */
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { projections } from '../projections/index.js'
import { type Given, STEP_BACK, type Told } from './bring-up-in-thread.js'
import { bringUp } from './projector/bring-up.js'
import { DEAD_LETTERS } from './projector/dead-letters.js'
import { NewPoisonError } from './projector/new-poison.js'
import { ForeignLogError } from './projector/own-log.js'
import { openDocuments, openLog } from './stores.js'

// Whoever starts this thread gives it exactly this.
const { config, job } = workerData as Given
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())

// Readers and live events come first when processors are scarce. On Linux a priority is a thread's own; elsewhere this would
// slow down the whole process.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), STEP_BACK))

const tell = (told: Told) => parentPort?.postMessage(told)
const log = await openLog(config)
const store = await openDocuments(config)
try {
  const projection = projections.find(({ name }) => name === job.projection)
  if (projection === undefined) throw new Error(`there is no projection ${job.projection}`)
  const whole = { ...projection, collections: [...projection.collections, ...DEAD_LETTERS] }
  await bringUp({ projection: whole, store, log }, job, stop.signal, (reached) => tell({ reached }))
  tell({ ended: true })
} catch (error) {
  if (error instanceof NewPoisonError) tell({ poison: [...error.poison] })
  else if (error instanceof ForeignLogError) tell({ foreign: error.message })
  else throw error
} finally {
  await store.close()
  await log.close()
  parentPort?.close()
}
