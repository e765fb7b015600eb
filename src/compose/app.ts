/** Starts a process: opens its stores and starts what its roles need. */

import type { Logger } from 'pino'
import type { Ask } from '../ask/ask.js'
import { AskWorker } from '../ask/jobs/worker.js'
import type { Question } from '../ask/request.js'
import { DisposalStack } from '../lib/resources.js'
import type { Monitor } from '../observe/monitor.js'
import { VERSIONS_MAX_AGE_MS } from '../operations/cache/model-versions.js'
import { startWorkers } from '../workers/supervisor.js'
import { openAdmin } from './admin.js'
import type { Config } from './config.js'
import { protectDataFolder } from './data-folder.js'
import { createAsk, createOperations, startHosts } from './hosts.js'
import { openProcessStores } from './process-stores.js'
import { type Stoppable, startProjectorThread } from './projector.js'
import { openDocuments, openEventStore } from './stores.js'

/** Everything that `ROLES` gives this process to do. */
export async function startApp(config: Config, logger: Logger): Promise<Stoppable> {
  const resources = new DisposalStack()
  await resources.disposeOnError(() => startRoles(config, logger, resources))
  return { stop: () => resources.dispose() }
}

async function startRoles(config: Config, logger: Logger, resources: DisposalStack): Promise<void> {
  const { ROLES } = config
  protectDataFolder(config, logger)
  const stores = await openProcessStores(config, logger, resources)
  const admin = resources.adopt(await openAdmin(config, logger, stores), (host) => host.stop())
  const { monitor } = admin
  const parts = resources.adopt<Stoppable[]>([], async (running) => {
    // First tell the load balancer. Then stop the hosts: a request may still be waiting for the projector.
    monitor.markStopping()
    for (const part of running) await part.stop()
  })
  // The hosts first: if a port is taken, nothing else may keep the process alive.
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
        : await startHosts(config, logger, { ...stores, monitor }),
    )
  await admin.listen()
  if (ROLES.includes('project')) parts.push(startProjectorThread(config, logger, (figures) => monitor.receive(figures)))
  if (ROLES.includes('ask')) parts.push(await startAskWorker(config, logger, monitor))
}

/** Answers ask jobs of all processes. */
async function startAskWorker(config: Config, logger: Logger, monitor: Monitor): Promise<Stoppable> {
  const resources = new DisposalStack()
  return resources.disposeOnError(async () => {
    const documents = resources.adopt(await openDocuments(config), (store) => store.close())
    // Created for the first job: loading the documentation takes a while, and there may be no job for long.
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
