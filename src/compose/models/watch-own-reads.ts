/** Keeps a process going that runs custom reads: survives what they throw where nothing awaits it, names those that hold its event loop. */
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Metrics } from '../../observe/metrics.js'
import { type OwnRead, runningOwnRead } from '../../operations/own-code.js'
import { shortError } from '../../operations/own-failure.js'
import type { Config } from '../config.js'
import type { Stoppable } from '../projector/projector.js'

/** Between two signs of life. */
const BEAT_MS = 100

/** What the watchdog evaluates in this thread. */
export const RUNNING_OWN_READ = 'vitrine.runningOwnRead'

export interface WatchdogData {
  /** Counts signs of life of the event loop. */
  beats: Int32Array
  config: Config
}

export function watchOwnReads(config: Config, logger: Logger, metrics: Pick<Metrics, 'recordOwnReadFault'>): Stoppable {
  Object.assign(globalThis, { [Symbol.for(RUNNING_OWN_READ)]: runningOwnRead })
  const onThrown = (error: unknown) => {
    const read = runningOwnRead()
    if (read === null) {
      // Ours: it ends the process as it would without these listeners.
      unlisten()
      process.nextTick(() => {
        throw error
      })
      return
    }
    metrics.recordOwnReadFault(read.operation, 'thrown')
    logger.error({ err: shortError(error), ...read }, 'a custom read threw or rejected where nothing awaits it')
  }
  // Rejections by themselves: Node.js reads them before it throws them, which a Proxy does not survive.
  const unlisten = () => process.off('uncaughtException', onThrown).off('unhandledRejection', onThrown)
  process.on('uncaughtException', onThrown).on('unhandledRejection', onThrown)
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
  const watchdog = new Worker(new URL('./watchdog-thread.js', import.meta.url), { workerData: { beats, config } satisfies WatchdogData })
  watchdog.on('message', ({ operation }: OwnRead) => metrics.recordOwnReadFault(operation, 'held'))
  watchdog.on('error', (error) => logger.error({ err: error }, 'the watchdog of custom reads failed'))
  watchdog.unref()
  return {
    async stop() {
      clearInterval(timer)
      unlisten()
      await watchdog.terminate()
    },
  }
}
