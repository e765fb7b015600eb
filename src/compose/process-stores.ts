import type { Logger } from 'pino'
import { JobFollower } from '../ask/jobs/job-follower.js'
import { DisposalStack, lazyResource } from '../lib/resources.js'
import { type StatusSample, takeStatusSample } from '../observe/engine-status.js'
import { Monitor, type MonitorOptions } from '../observe/monitor.js'
import { Tombstones } from '../operations/tombstones.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { Config } from './config.js'
import { readIntegrityReport } from './live-models.js'
import type { ModelSet } from './models/model-set.js'
import { openDocuments, openEventStore, openLog } from './stores.js'

/** The stores that the parts of a process share. */
export interface ProcessStores {
  documents: DocumentStore
  /** Opened on first use: readers can do without the log. */
  log: { get(): Promise<EventLog> }
  /** Not started yet. */
  jobs: JobFollower
  tombstones: Tombstones
}

/** Opens them; `resources` closes them. */
export async function openProcessStores(
  config: Config,
  models: ModelSet,
  logger: Logger,
  resources: DisposalStack,
): Promise<ProcessStores> {
  const { documents, log } = await openDocumentsAndLog(config, resources)
  const asks = resources.adopt(await openEventStore(config), (store) => store.close())
  const jobs = resources.adopt(new JobFollower(asks, logger), (following) => following.stop())
  return { documents, log, jobs, tombstones: new Tombstones(documents, models.stateLocations) }
}

/** A command that cannot go on says so within five seconds. */
const COMMAND_TIMEOUT_MS = 4000

/** For a command that can do without the log: `sample` looks how the models stand, as often as it is called. */
export async function withStatusSamples<T>(
  config: Config,
  { projections }: ModelSet,
  work: (sample: () => Promise<StatusSample>, store: DocumentStore, log: ProcessStores['log']) => Promise<T>,
): Promise<T> {
  const resources = new DisposalStack()
  try {
    const { documents: store, log } = await openDocumentsAndLog(config, resources)
    const basics = { log: () => log.get(), store, projections }
    const sample = async () => {
      const taken = await takeStatusSample({ ...basics, readIntegrity: readIntegrityReport, timeoutMs: COMMAND_TIMEOUT_MS })
      if (taken.storeError !== null) throw taken.storeError
      return taken
    }
    return await work(sample, store, log)
  } finally {
    await resources.dispose()
  }
}

async function openDocumentsAndLog(config: Config, resources: DisposalStack): Promise<Pick<ProcessStores, 'documents' | 'log'>> {
  const documents = resources.adopt(await openDocuments(config), (store) => store.close())
  const log = resources.adopt(
    lazyResource(() => openLog(config)),
    (opening) => opening.close(),
  )
  return { documents, log }
}

export function createMonitor(
  { documents, log, jobs }: ProcessStores,
  { projections, requiredModels }: ModelSet,
  options: Pick<MonitorOptions, 'projecting' | 'querying' | 'logger' | 'tracer' | 'onOperationTimed'>,
): Monitor {
  return new Monitor({
    ...options,
    projections,
    requiredModels,
    readIntegrity: readIntegrityReport,
    store: documents,
    log: () => log.get(),
    jobs: () => jobs.summary(),
  })
}
