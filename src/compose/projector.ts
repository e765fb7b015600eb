/** The projector, in the calling thread or in one of its own. */
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Meter } from '../engine/fold/telemetry.js'
import { Projector } from '../engine/leader/projector.js'
import type { ProjectorMetrics } from '../observe/projector-metrics.js'
import type { Config } from './config.js'
import { limitGcThreads } from './gc-flags.js'
import { buildInProcess } from './generation-builder.js'
import { projections } from './models.js'
import { openDocuments, openLog } from './stores.js'

export const MODEL_NAMES: readonly string[] = projections.map(({ name }) => name)

export interface Stoppable {
  stop(): Promise<void>
}

/** Projects in the calling thread, until stopped. */
export async function startProjector(config: Config, logger: Logger, meter?: Meter): Promise<Stoppable> {
  const log = await openLog(config)
  const documents = await openDocuments(config, { checkpointInThread: true })
  const projector = new Projector(projections, log, documents, logger, {
    buildGeneration: buildInProcess(config),
    onVersionChange: config.ON_VERSION_CHANGE,
    balanceLeadership: true,
    ...(meter === undefined ? {} : { meter }),
  })
  projector.start()
  return {
    async stop() {
      await projector.stop()
      await documents.close()
      await log.close()
    },
  }
}

/** Far more than it needs, and little enough for the garbage collector not to be lazy. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 320 }

/** SQLite blocks the thread it runs in, and folding is hard work: the projector gets a thread of its own, so that readers never wait for it. */
export function startProjectorThread(config: Config, logger: Logger, told: (figures: ProjectorMetrics) => void = () => {}): Stoppable {
  limitGcThreads(config.MONGODB_URL !== undefined)
  let stopping = false
  let thread = spawn()
  function spawn() {
    const worker = new Worker(new URL('./projector-thread.js', import.meta.url), { workerData: config, resourceLimits: THREAD_MEMORY })
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.on('message', told)
    worker.on('error', (error) => logger.error({ err: error, reason: String(error) }, 'the projector thread failed'))
    exited.then(() => {
      if (stopping) return
      setTimeout(() => {
        if (!stopping) thread = spawn()
      }, 1000).unref()
    })
    return { worker, exited }
  }
  return {
    async stop() {
      stopping = true
      thread.worker.postMessage('stop')
      await thread.exited
    },
  }
}
