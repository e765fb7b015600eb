/** The one place that knows everybody: puts the parts together. */
import type { Logger } from 'pino'
import { openAdmin } from './admin.js'
import type { Ask } from './ask/ask.js'
import { AskJobWatch } from './ask/jobs/watch.js'
import { AskWorker } from './ask/jobs/worker.js'
import type { Question } from './ask/request.js'
import type { Config } from './config.js'
import { startHosts } from './hosts.js'
import { lazily } from './lazily.js'
import type { Observatory } from './observe/observatory.js'
import { type Running, startProjectorThread } from './projecting.js'
import { createAsk, createOperations } from './reading.js'
import { openDocuments, openEventStore, openLog } from './stores.js'
import { startWorkers } from './workers/crew.js'

/** Everything this process has been given to do by `ROLES`. */
export async function startApp(config: Config, logger: Logger): Promise<Running> {
  const { ROLES } = config
  const documents = await openDocuments(config)
  const log = lazily(() => openLog(config))
  const asks = await openEventStore(config)
  const watch = new AskJobWatch(asks, logger)
  const admin = await openAdmin(config, logger, { store: documents, log: () => log.get(), jobs: () => watch.summary() })
  const parts: Running[] = []
  const stop = async () => {
    // Whoever routes requests learns it first. Then readers: a request under way may still be waiting for the projector.
    admin.observatory.retire()
    for (const part of parts) await part.stop()
    await admin.stop()
    await watch.stop()
    await asks.close()
    await log.close()
    await documents.close()
  }
  try {
    // The hosts first: when a port is taken there must be nothing else running that keeps the process alive.
    if (ROLES.includes('query'))
      parts.push(
        config.WORKERS > 1
          ? await startWorkers(config, logger, admin.observatory)
          : await startHosts(config, logger, { documents, log, asks, watch, observatory: admin.observatory }),
      )
    await admin.listen()
    if (ROLES.includes('project')) parts.push(startProjectorThread(config, logger, (told) => admin.observatory.take(told)))
    if (ROLES.includes('ask')) parts.push(await startAskWorker(config, logger, admin.observatory))
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

/** Answers ask jobs, of whichever process. */
async function startAskWorker(config: Config, logger: Logger, observatory: Observatory): Promise<Running> {
  const documents = await openDocuments(config)
  // Made for the first job: there may be none for long, and reading the content takes a while.
  let ask: Ask | undefined
  const answer = (question: Question) => {
    ask ??= createAsk(config, createOperations(config, documents, observatory), observatory)
    return ask.ask(question)
  }
  const asks = await openEventStore(config)
  const worker = new AskWorker(asks, answer, logger)
  worker.start()
  return {
    async stop() {
      await worker.stop()
      await asks.close()
      await documents.close()
    },
  }
}
