/** Starts a process: opens its stores and starts what its roles need. */

import type { Logger } from 'pino'
import type { Ask } from '../ask/ask.js'
import { JobErasure } from '../ask/jobs/job-erasure.js'
import type { JobFollower } from '../ask/jobs/job-follower.js'
import { AskWorker } from '../ask/jobs/worker.js'
import type { Question } from '../ask/request.js'
import { DisposalStack } from '../lib/resources.js'
import type { Monitor } from '../observe/monitor.js'
import { ModelVersions, VERSIONS_MAX_AGE_MS } from '../operations/cache/model-versions.js'
import { ErasureWatch } from '../operations/erasure-watch.js'
import { LocalReplyStore } from '../operations/kept-replies.js'
import type { WordsRead } from '../operations/words-read.js'
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
  const stores = await openProcessStores(config, models, logger, resources)
  await requireAcceptedIfReachable(stores.documents, models, logger)
  const erasures = followErasures(stores, logger, resources)
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
  // Now, because the first reading counts as a removal.
  versions.refresh().catch(() => {})
  erasures.start(versions)
  if (ROLES.includes('ask')) parts.push(await startAskWorker(config, models, logger, stores.jobs, monitor, versions, erasures))
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

/** Starts to follow the ask jobs. What outlives a request, here and in the event store, is dropped when its creators are removed. */
function followErasures({ jobs, tombstones }: ProcessStores, logger: Logger, resources: DisposalStack): ErasureWatch {
  const watch = resources.adopt(new ErasureWatch(tombstones, logger), (watching) => watching.stop())
  const erasure = resources.adopt(new JobErasure(jobs.store, tombstones, () => watch.look()), async (erasing) => {
    await jobs.stop()
    await erasing.stop()
  })
  watch.add(erasure)
  jobs.onEvent((event) => erasure.apply(event))
  jobs.start()
  return watch
}

/** Answers ask jobs of all processes. */
async function startAskWorker(
  config: Config,
  models: ModelSet,
  logger: Logger,
  jobs: JobFollower,
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
    const answer = (question: Question, wordsRead: WordsRead) => {
      ask ??= createWatchedAsk()
      return ask.ask(question, { wordsRead })
    }
    resources.adopt(
      versions.onRemoval(() => ask?.forgetWords()),
      (stop) => stop(),
    )
    const worker = resources.adopt(new AskWorker(jobs, answer, logger), (working) => working.stop())
    worker.start()
    return { stop: () => resources.dispose() }
  })
}
