/** Entry of the projector's own thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { createLogger, startProjector } from './app.js'
import type { Config } from './config.js'

const config = workerData as Config
const projector = await startProjector(config, createLogger(config))

parentPort?.once('message', async () => {
  await projector.stop()
  parentPort?.close()
})
