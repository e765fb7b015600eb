/** Entry of a process that answers readers, beside others like it. Started and stopped by the one that has the other roles. */
import { projections } from '../../projections/index.js'
import { AskJobWatch } from '../ask/jobs/watch.js'
import type { Config } from '../config.js'
import { type Hosts, startHosts } from '../hosts.js'
import { lazily } from '../lazily.js'
import { Observatory } from '../observe/observatory.js'
import { createTracer } from '../observe/tracing.js'
import { createLogger, openDocuments, openEventStore, openLog } from '../stores.js'
import type { ListenFailure } from './crew.js'
import { Line } from './line.js'
import { sharedAnswers, sharedWindows } from './shared.js'

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
const documents = await openDocuments(config)
const log = lazily(() => openLog(config))
const asks = await openEventStore(config)
const watch = new AskJobWatch(asks, logger)
const tracer = await createTracer(config.OTEL_EXPORTER_OTLP_ENDPOINT)
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
  windows: (limit: string) => sharedWindows(line, limit),
  keeper: sharedAnswers(line),
  announceRemoval: () => line.ask<void>('removal'),
}

stop = async () => {
  stop = async () => {}
  await hosts?.stop()
  await watch.stop()
  await asks.close()
  await log.close()
  await documents.close()
  await tracer.stop()
  process.exit(0)
}

try {
  hosts = await startHosts(config, logger, { documents, log, asks, watch, observatory, common })
  await line.ask('listening')
} catch (error) {
  const { message, code, address, port } = error as ListenFailure
  await line.ask('failed', { message, code, address, port } satisfies ListenFailure).catch(() => {})
  process.exit(1)
}
