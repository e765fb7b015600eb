/** Entry of a process that answers readers, beside others like it. Started and stopped by the one that has the other roles. */

import { JobStats } from '../ask/jobs/job-stats.js'
import { DisposalStack, lazyResource } from '../lib/resources.js'
import { Monitor } from '../observe/monitor.js'
import { createTracer } from '../observe/tracing.js'
import { workerReplyStore } from '../workers/idempotent-replies.js'
import { WorkerRateWindows } from '../workers/rate-windows.js'
import { RpcChannel } from '../workers/rpc-channel.js'
import type { StartFailure } from '../workers/supervisor.js'
import type { Config } from './config.js'
import { type Hosts, startHosts } from './hosts.js'
import { projections } from './models.js'
import { createLogger, openDocuments, openEventStore, openLog } from './stores.js'

let hosts: Hosts | null = null
let observatory: Monitor | null = null
let stop = async (): Promise<void> => process.exit(0)

const line = new RpcChannel(
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

const config = await line.call<Config>('config')
const logger = createLogger(config)
const opened = new DisposalStack()

stop = async () => {
  stop = async () => {}
  await opened.dispose()
  process.exit(0)
}

try {
  await start()
  await line.call('listening')
} catch (error) {
  const { message, code, syscall, path, address, port } = error as StartFailure
  await line.call('failed', { message, code, syscall, path, address, port } satisfies StartFailure).catch(() => {})
  process.exit(1)
}

async function start(): Promise<void> {
  const tracer = opened.adopt(await createTracer(config.OTEL_EXPORTER_OTLP_ENDPOINT), (tracing) => tracing.stop())
  const documents = opened.adopt(await openDocuments(config), (store) => store.close())
  const log = opened.adopt(
    lazyResource(() => openLog(config)),
    (opening) => opening.close(),
  )
  const asks = opened.adopt(await openEventStore(config), (store) => store.close())
  const watch = opened.adopt(new JobStats(asks, logger), (watching) => watching.stop())
  observatory = new Monitor({
    store: documents,
    log: () => log.get(),
    projections,
    projecting: false,
    querying: true,
    jobs: () => watch.summary(),
    logger,
    tracer,
    onOperationTimed: (...times) => line.notify('timed', times),
  })
  observatory.metrics.collectProcessMetrics()
  const common = {
    windows: (limit: string) => new WorkerRateWindows(line, limit),
    keeper: workerReplyStore(line),
    announceRemoval: () => line.call<void>('removal'),
  }
  hosts = await startHosts(config, logger, { documents, log, asks, watch, observatory, common })
  opened.adopt(hosts, (answering) => answering.stop())
}
