/** The projector, in the calling thread or in a separate one. */

import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Projection } from '../../engine/definition/projection.js'
import type { Meter } from '../../engine/fold/telemetry.js'
import { Projector, type ProjectorOptions } from '../../engine/leader/projector.js'
import type { ProjectorMetrics } from '../../observe/projector-metrics.js'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import type { Config } from '../config.js'
import { limitGcThreads } from '../gc-flags.js'
import { onlyWhileAccepted, requireAcceptedOnceReachable } from '../models/accepted-models.js'
import type { ModelSet } from '../models/model-set.js'
import { openDocuments, openLog } from '../stores.js'
import { buildInProcess } from './generation-builder.js'

export interface Stoppable {
  stop(): Promise<void>
}

export function createProjector(
  config: Config,
  projections: readonly Projection[],
  { log, documents }: { log: EventLog; documents: DocumentStore },
  logger: Logger,
  options: ProjectorOptions = {},
): Projector {
  return new Projector(projections, log, documents, logger, { buildGeneration: buildInProcess(config), ...options })
}

/** Between two attempts to read which models are accepted. */
const RETRY_MS = 1000

/** Projects in the calling thread, until stopped. */
export async function startProjector(config: Config, models: ModelSet, logger: Logger, meter?: Meter): Promise<Stoppable> {
  const log = await openLog(config)
  const documents = await openDocuments(config, { checkpointInThread: true })
  await requireAcceptedOnceReachable(documents, models, () => delay(RETRY_MS))
  const projector = createProjector(config, models.projections, { log, documents: onlyWhileAccepted(documents, models) }, logger, {
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

/** Far more than it needs, and little enough to keep the garbage collector active. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 320 }

/** SQLite blocks its thread and folding is hard work: in a separate thread, readers never wait for the projector. */
export function startProjectorThread(config: Config, logger: Logger, onFigures: (figures: ProjectorMetrics) => void = () => {}): Stoppable {
  limitGcThreads(config.MONGODB_URL !== undefined)
  let stopping = false
  let thread = spawn()
  function spawn() {
    const worker = new Worker(new URL('./projector-thread.js', import.meta.url), { workerData: config, resourceLimits: THREAD_MEMORY })
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.on('message', onFigures)
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
