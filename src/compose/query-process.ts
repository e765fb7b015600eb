/** Entry of a query worker: one of several processes that answer readers. The process with the other roles starts and stops it. */

import { DisposalStack } from '../lib/resources.js'
import type { Monitor } from '../observe/monitor.js'
import { createTracer } from '../observe/tracing.js'
import { RpcChannel } from '../workers/rpc-channel.js'
import { WorkerRateWindows, workerReplyStore } from '../workers/shared-state.js'
import type { StartFailure } from '../workers/supervisor.js'
import type { Config } from './config.js'
import { type Hosts, startHosts } from './hosts.js'
import { createLogger } from './logger.js'
import { requireAcceptedIfReachable } from './models/accepted-models.js'
import { loadModels } from './models/load-models.js'
import { createMonitor, openProcessStores } from './process-stores.js'

let hosts: Hosts | null = null
let monitor: Monitor | null = null
let stop = async (): Promise<void> => process.exit(0)

const channel = new RpcChannel(
  {
    // If the parent is gone it needs no answer: this process ends with it.
    send: (message) => process.connected && process.send?.(message, undefined, undefined, () => {}),
    onMessage: (listener) => process.on('message', listener),
  },
  {
    stop: () => stop(),
    expire: () => hosts?.versions.expire(),
    metrics: () => monitor?.metrics.values() ?? [],
  },
)

// Ctrl+C reaches every process of the terminal; the parent says when to stop.
process.on('SIGINT', () => {})
process.once('SIGTERM', () => void stop())

const config = await channel.call<Config>('config')
const logger = createLogger(config)
const opened = new DisposalStack()

stop = async () => {
  stop = async () => {}
  await opened.dispose()
  process.exit(0)
}

try {
  await start()
  await channel.call('listening')
} catch (error) {
  const { message, code, syscall, path, address, port } = error as StartFailure
  await channel.call('failed', { message, code, syscall, path, address, port } satisfies StartFailure).catch(() => {})
  process.exit(1)
}

async function start(): Promise<void> {
  const tracer = opened.adopt(await createTracer(config.OTEL_EXPORTER_OTLP_ENDPOINT), (tracing) => tracing.stop())
  const models = await loadModels(config)
  const stores = await openProcessStores(config, models, logger, opened)
  stores.jobs.start()
  await requireAcceptedIfReachable(stores.documents, models, logger)
  monitor = createMonitor(stores, models, {
    projecting: false,
    querying: true,
    logger,
    tracer,
    onOperationTimed: (...times) => channel.notify('timed', times),
  })
  monitor.metrics.collectProcessMetrics()
  const common = {
    windows: (limit: string) => new WorkerRateWindows(channel, limit),
    announceRemoval: () => channel.call<void>('removal'),
  }
  hosts = await startHosts(config, logger, { ...stores, models, monitor, replies: workerReplyStore(channel), common })
  opened.adopt(hosts, (answering) => answering.stop())
}
