/** Entry of the projector's own thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { ProjectorMetricsBuffer } from '../../observe/projector-metrics.js'
import type { Config } from '../config.js'
import { createLogger } from '../logger.js'
import { loadModels } from '../models/load-models.js'
import { startProjector } from './projector.js'

const config = workerData as Config
const figures = new ProjectorMetricsBuffer((metrics) => parentPort?.postMessage(metrics))
const projector = await startProjector(config, await loadModels(config), createLogger(config), figures)

parentPort?.once('message', async () => {
  await projector.stop()
  figures.stop()
  // Ends this thread only. A connection that a library forgot would keep it alive, and the process with it.
  process.exit()
})
