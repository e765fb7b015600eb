/** Entry of a process that answers readers, beside others like it. Started and stopped by the one that has the other roles. */

import { AskJobWatch } from '../ask/jobs/job-stats.js'
import { lazily } from '../lib/lazily.js'
import { Opened } from '../lib/resources.js'
import { Observatory } from '../observe/monitor.js'
import { createTracer } from '../observe/tracing.js'
import { sharedAnswers } from '../workers/idempotent-replies.js'
import { SharedWindows } from '../workers/rate-windows.js'
import { Line } from '../workers/rpc-channel.js'
import type { StartFailure } from '../workers/supervisor.js'
import type { Config } from './config.js'
import { type Hosts, startHosts } from './hosts.js'
import { projections } from './models.js'
import { createLogger, openDocuments, openEventStore, openLog } from './stores.js'

let hosts: Hosts | null = null
let observatory: Observatory | null = null
let stop = async (): Promise<void> => process.exit(0)

const line = new Line(
  {
    // A process that is gone needs no answer; this one ends with it.
    send: (message) => process.connected && process.send?.(message, undefined, undefined, () => {}),
    onMessage: (listener) => process.on('message', listener),
  },
  {
    stop: () => stop(),
    expire: () => hosts?.versions.expire(),
    metrics: () => observatory?.metrics.values() ?? [],
  },
)

// Ctrl+C reaches every process of the terminal; the one that started this one says when to stop.
process.on('SIGINT', () => {})
process.once('SIGTERM', () => void stop())

const config = await line.ask<Config>('config')
const logger = createLogger(config)
const opened = new Opened()

stop = async () => {
  stop = async () => {}
  await opened.close()
  process.exit(0)
}

try {
  await start()
  await line.ask('listening')
} catch (error) {
  const { message, code, syscall, path, address, port } = error as StartFailure
  await line.ask('failed', { message, code, syscall, path, address, port } satisfies StartFailure).catch(() => {})
  process.exit(1)
}

async function start(): Promise<void> {
  const tracer = opened.keep(await createTracer(config.OTEL_EXPORTER_OTLP_ENDPOINT), (tracing) => tracing.stop())
  const documents = opened.keep(await openDocuments(config), (store) => store.close())
  const log = opened.keep(
    lazily(() => openLog(config)),
    (opening) => opening.close(),
  )
  const asks = opened.keep(await openEventStore(config), (store) => store.close())
  const watch = opened.keep(new AskJobWatch(asks, logger), (watching) => watching.stop())
  observatory = new Observatory({
    store: documents,
    log: () => log.get(),
    projections,
    projecting: false,
    querying: true,
    jobs: () => watch.summary(),
    logger,
    tracer,
    timed: (...times) => line.tell('timed', times),
  })
  observatory.metrics.includeProcess()
  const common = {
    windows: (limit: string) => new SharedWindows(line, limit),
    keeper: sharedAnswers(line),
    announceRemoval: () => line.ask<void>('removal'),
  }
  hosts = await startHosts(config, logger, { documents, log, asks, watch, observatory, common })
  opened.keep(hosts, (answering) => answering.stop())
}
