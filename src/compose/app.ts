/** The one place that knows everybody: puts the parts together. */
import type { Logger } from 'pino'
import type { Ask } from '../ask/ask.js'
import { JobStats } from '../ask/jobs/job-stats.js'
import { AskWorker } from '../ask/jobs/worker.js'
import type { Question } from '../ask/request.js'
import { DisposalStack, lazyResource } from '../lib/resources.js'
import type { Monitor } from '../observe/monitor.js'
import { VERSIONS_MAX_AGE_MS } from '../operations/cache/model-versions.js'
import { startWorkers } from '../workers/supervisor.js'
import { openAdmin } from './admin.js'
import type { Config } from './config.js'
import { startHosts } from './hosts.js'
import { createAsk, createOperations } from './operations-and-ask.js'
import { type Stoppable, startProjectorThread } from './projector.js'
import { openDocuments, openEventStore, openLog } from './stores.js'

/** Everything this process has been given to do by `ROLES`. */
export async function startApp(config: Config, logger: Logger): Promise<Stoppable> {
  const resources = new DisposalStack()
  await resources.disposeOnError(() => startRoles(config, logger, resources))
  return { stop: () => resources.dispose() }
}

async function startRoles(config: Config, logger: Logger, resources: DisposalStack): Promise<void> {
  const { ROLES } = config
  const documents = resources.adopt(await openDocuments(config), (store) => store.close())
  const log = resources.adopt(
    lazyResource(() => openLog(config)),
    (opening) => opening.close(),
  )
  const asks = resources.adopt(await openEventStore(config), (store) => store.close())
  const watch = resources.adopt(new JobStats(asks, logger), (watching) => watching.stop())
  const stores = { store: documents, log: () => log.get(), jobs: () => watch.summary() }
  const admin = resources.adopt(await openAdmin(config, logger, stores), (host) => host.stop())
  const { observatory: monitor } = admin
  const parts = resources.adopt<Stoppable[]>([], async (running) => {
    // Whoever routes requests learns it first. Then readers: a request under way may still be waiting for the projector.
    monitor.markStopping()
    for (const part of running) await part.stop()
  })
  // The hosts first: when a port is taken there must be nothing else running that keeps the process alive.
  if (ROLES.includes('query'))
    parts.push(
      config.WORKERS > 1
        ? await startWorkers({
            count: config.WORKERS,
            entry: new URL('./query-process.js', import.meta.url),
            config,
            cacheMaxAgeMs: VERSIONS_MAX_AGE_MS,
            logger,
            monitor,
          })
        : await startHosts(config, logger, { documents, log, asks, watch, observatory: monitor }),
    )
  await admin.listen()
  if (ROLES.includes('project')) parts.push(startProjectorThread(config, logger, (told) => monitor.receive(told)))
  if (ROLES.includes('ask')) parts.push(await startAskWorker(config, logger, monitor))
}

/** Answers ask jobs, of whichever process. */
async function startAskWorker(config: Config, logger: Logger, monitor: Monitor): Promise<Stoppable> {
  const resources = new DisposalStack()
  return resources.disposeOnError(async () => {
    const documents = resources.adopt(await openDocuments(config), (store) => store.close())
    // Made for the first job: there may be none for long, and reading the content takes a while.
    let ask: Ask | undefined
    const answer = (question: Question) => {
      ask ??= createAsk(config, createOperations(config, documents, monitor), monitor)
      return ask.ask(question)
    }
    const asks = resources.adopt(await openEventStore(config), (store) => store.close())
    const worker = resources.adopt(new AskWorker(asks, answer, logger), (working) => working.stop())
    worker.start()
    return { stop: () => resources.dispose() }
  })
}
