/** Entry of the projector's own thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { ProjectorMetricsBuffer } from '../../observe/projector-metrics.js'
import { createLogger } from '../logger.js'
import { loadModels } from '../models/load-models.js'
import { type ProjectorThreadData, startProjector } from './projector.js'

const { config, crash } = workerData as ProjectorThreadData
const figures = new ProjectorMetricsBuffer((metrics) => parentPort?.postMessage(metrics))
const projector = await startProjector(config, await loadModels(config), createLogger(config), { meter: figures, crash })

parentPort?.once('message', async () => {
  await projector.stop()
  figures.stop()
  // Ends this thread only. A connection that a library forgot would keep it alive, and the process with it.
  process.exit()
})
