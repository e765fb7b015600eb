/** Starts a process: opens its stores and starts what its roles need. */

import type { Logger } from 'pino'
import type { Ask } from '../ask/ask.js'
import { JobErasure } from '../ask/jobs/job-erasure.js'
import { AskWorker } from '../ask/jobs/worker.js'
import type { Question } from '../ask/request.js'
import { DisposalStack } from '../lib/resources.js'
import type { Monitor } from '../observe/monitor.js'
import { ModelVersions, VERSIONS_MAX_AGE_MS } from '../operations/cache/model-versions.js'
import { ErasureWatch } from '../operations/erasure-watch.js'
import { LocalReplyStore } from '../operations/kept-replies.js'
import { Tombstones } from '../operations/tombstones.js'
import type { EventStore } from '../ports/event-store.js'
import { startWorkers } from '../workers/supervisor.js'
import { openAdmin } from './admin.js'
import type { Config } from './config.js'
import { protectDataFolder } from './data-folder.js'
import { createAsk, createOperations, type ProcessResources, startHosts } from './hosts.js'
import { requireAcceptedIfReachable } from './models/accepted-models.js'
import type { ModelSet } from './models/model-set.js'
import { openProcessStores, type ProcessStores } from './process-stores.js'
import { type Stoppable, startProjectorThread } from './projector/projector.js'
import { openDocuments } from './stores.js'

/** Everything that `ROLES` gives this process to do. */
export async function startApp(config: Config, models: ModelSet, logger: Logger): Promise<Stoppable> {
  const resources = new DisposalStack()
  await resources.disposeOnError(() => startRoles(config, models, logger, resources))
  return { stop: () => resources.dispose() }
}

async function startRoles(config: Config, models: ModelSet, logger: Logger, resources: DisposalStack): Promise<void> {
  const { ROLES } = config
  protectDataFolder(config, logger)
  const stores = await openProcessStores(config, logger, resources)
  await requireAcceptedIfReachable(stores.documents, models, logger)
  const admin = resources.adopt(await openAdmin(config, logger, stores, models), (host) => host.stop())
  const { monitor } = admin
  const parts = resources.adopt<Stoppable[]>([], async (running) => {
    // First tell the load balancer. Then stop the hosts: a request may still be waiting for the projector.
    monitor.markStopping()
    for (const part of running) await part.stop()
  })
  const replies = new LocalReplyStore()
  const shared: ProcessResources & { replies: LocalReplyStore } = { ...stores, models, monitor, replies }
  // The hosts first: if a port is taken, nothing else may keep the process alive.
  const hosts = ROLES.includes('query') && config.WORKERS === 1 ? await startHosts(config, logger, shared) : null
  const versions =
    hosts?.versions ?? resources.adopt(new ModelVersions(stores.documents, models.readModels), (following) => following.close())
  versions.onRemoval(() => replies.clear())
  const workers = ROLES.includes('query') && hosts === null ? await startQueryProcesses(config, logger, shared, versions) : null
  for (const part of [hosts, workers]) if (part !== null) parts.push(part)
  await admin.listen()
  if (ROLES.includes('project')) parts.push(startProjectorThread(config, logger, monitor))
  const { watch } = resources.adopt(startErasures(stores, models, versions, logger), (erasing) => erasing.stop())
  if (ROLES.includes('ask')) parts.push(await startAskWorker(config, models, logger, stores.asks, monitor, versions, watch))
}

/** Answers readers in several processes, which this one supervises. */
const startQueryProcesses = (
  config: Config,
  logger: Logger,
  { monitor, replies }: { monitor: Monitor; replies: LocalReplyStore },
  versions: ModelVersions,
): Promise<Stoppable> =>
  startWorkers({
    count: config.WORKERS,
    entry: new URL('./query-process.js', import.meta.url),
    config,
    cacheMaxAgeMs: VERSIONS_MAX_AGE_MS,
    logger,
    monitor,
    replies,
    hearRemovals: () => versions.readRemovals(),
  })

/** Drops what outlives a request, here and in the event store, of creators who are removed. */
function startErasures(
  { documents, asks }: ProcessStores,
  models: ModelSet,
  versions: ModelVersions,
  logger: Logger,
): Stoppable & { watch: ErasureWatch } {
  const tombstones = new Tombstones(documents, models.stateLocations)
  const watch = new ErasureWatch(versions, tombstones, logger)
  const jobs = new JobErasure(asks, tombstones, logger)
  // Now, because the first reading counts as a removal.
  versions.refresh().catch(() => {})
  watch.add(jobs)
  jobs.start(() => watch.look())
  watch.start()
  return {
    watch,
    async stop() {
      await jobs.stop()
      await watch.stop()
    },
  }
}

/** Answers ask jobs of all processes. */
async function startAskWorker(
  config: Config,
  models: ModelSet,
  logger: Logger,
  asks: EventStore,
  monitor: Monitor,
  versions: ModelVersions,
  erasures: ErasureWatch,
): Promise<Stoppable> {
  const resources = new DisposalStack()
  return resources.disposeOnError(async () => {
    const documents = resources.adopt(await openDocuments(config), (store) => store.close())
    // Created for the first job: loading the documentation takes a while, and there may be no job for long.
    let ask: Ask | undefined
    const createWatchedAsk = () => {
      const created = createAsk(config, models, createOperations(config, documents, monitor), monitor, () => erasures.look())
      erasures.add(created.names)
      return created
    }
    const answer = (question: Question, subjects: Set<string>) => {
      ask ??= createWatchedAsk()
      return ask.ask(question, { subjects })
    }
    resources.adopt(
      versions.onRemoval(() => ask?.forgetWords()),
      (stop) => stop(),
    )
    const worker = resources.adopt(new AskWorker(asks, answer, logger), (working) => working.stop())
    worker.start()
    return { stop: () => resources.dispose() }
  })
}
