/** The projector, in the calling thread or in a separate one. */

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
import { onlyWhileAccepted } from '../models/accepted-models.js'
import { editedDeclarations, notingDeclarations } from '../models/edited-declarations.js'
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
  return new Projector(projections, log, notingDeclarations(documents, projections), logger, {
    buildGeneration: buildInProcess(config),
    ...options,
  })
}

/** Between two attempts to start the thread. */
const RETRY_MS = 1000

/** Projects in the calling thread, until stopped. */
export async function startProjector(
  config: Config,
  models: ModelSet,
  logger: Logger,
  { meter, crash = null }: { meter?: Meter; crash?: string | null } = {},
): Promise<Stoppable> {
  const log = await openLog(config)
  const documents = await openDocuments(config, { checkpointInThread: true })
  // Only a word of advice: a store that is away is no reason not to start.
  const edited = await editedDeclarations(documents, models).catch(() => [])
  for (const finding of edited) logger.warn(`${finding}: raise it, or run "vitrine rebuild" for it`)
  const projector = createProjector(config, models.projections, { log, documents: onlyWhileAccepted(documents, models) }, logger, {
    onVersionChange: config.ON_VERSION_CHANGE,
    balanceLeadership: true,
    crash,
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

/** What the thread gets. `crash`: why the one before it ended. */
export interface ProjectorThreadData {
  config: Config
  crash: string | null
}

/** Far more than it needs, and little enough to keep the garbage collector active. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 320 }

/** SQLite blocks its thread and folding is hard work: in a separate thread, readers never wait for the projector. */
export function startProjectorThread(
  config: Config,
  logger: Logger,
  { receive = () => {}, projectorEnded = () => {} }: { receive?: (figures: ProjectorMetrics) => void; projectorEnded?: () => void } = {},
): Stoppable {
  limitGcThreads(config.MONGODB_URL !== undefined)
  let stopping = false
  let thread = spawn(null)
  function spawn(crash: string | null) {
    const workerData: ProjectorThreadData = { config, crash }
    const worker = new Worker(new URL('./projector-thread.js', import.meta.url), { workerData, resourceLimits: THREAD_MEMORY })
    const exited = new Promise<number>((resolve) => worker.once('exit', resolve))
    let failure = ''
    worker.on('message', receive)
    worker.on('error', (error) => {
      // Only its name: the message may quote an event.
      failure = `${error.name} ${'code' in error ? error.code : ''}`
      logger.error({ err: error, reason: String(error) }, 'the projector thread failed')
    })
    exited.then((code) => {
      if (stopping) return
      projectorEnded()
      setTimeout(() => {
        if (stopping) return
        logger.warn({ code }, 'the projector thread is started again')
        thread = spawn(`the projector thread ended: ${failure.trim() || `exit code ${code}`}`)
      }, RETRY_MS).unref()
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
