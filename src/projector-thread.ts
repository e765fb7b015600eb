/** Entry of a projector's own thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { createLogger, startProjector, type ThreadTask } from './app.js'

const { config, models } = workerData as ThreadTask
const projector = await startProjector(config, models, createLogger(config))

parentPort?.once('message', async () => {
  await projector.stop()
  parentPort?.close()
})
