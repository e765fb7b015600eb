/** Several processes that answer readers on the same ports, for machines with more than one core. */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../compose/config.js'
import type { Stoppable } from '../compose/projector.js'
import type { MetricValues } from '../observe/metrics.js'
import type { Monitor } from '../observe/monitor.js'
import { VERSIONS_MAX_AGE_MS } from '../operations/cache/model-versions.js'
import { RpcChannel } from './rpc-channel.js'
import { SharedState } from './shared-state.js'

/** One that fails at once is not started again at once. */
const RESPAWN_DELAY_MS = 1000
/** Longer than a worker takes to finish what it was asked; who has not stopped by then is stopped. */
const STOP_TIMEOUT_MS = 10_000
/** A worker that is too busy to say what it has counted is left out this time. */
const METRICS_TIMEOUT_MS = 1000

interface SupervisedWorker {
  worker: Worker
  channel: RpcChannel
  startedAt: number
  /** Settles once it listens; fails with what the operating system said, or when it ends before. */
  listening: Promise<void>
  isListening: boolean
  exited: Promise<void>
}

/** What a worker says when it cannot start: an error loses its class on the way, but not what the system said. */
export interface StartFailure {
  message: string
  code?: string | undefined
  syscall?: string | undefined
  path?: string | undefined
  address?: string | undefined
  port?: number | undefined
}

export async function startWorkers(config: Config, logger: Logger, monitor: Monitor): Promise<Stoppable> {
  const supervisor = new Supervisor(config, logger, monitor)
  try {
    await supervisor.start()
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  return supervisor
}

class Supervisor implements Stoppable {
  readonly #config: Config
  readonly #logger: Logger
  readonly #observatory: Monitor
  readonly #sharedState = new SharedState()
  readonly #workers = new Map<number, SupervisedWorker>()
  #stopping = false

  constructor(config: Config, logger: Logger, monitor: Monitor) {
    this.#config = config
    this.#logger = logger
    this.#observatory = monitor
    cluster.setupPrimary({ exec: fileURLToPath(new URL('../compose/query-process.js', import.meta.url)), args: [] })
    monitor.serving = () => [...this.#workers.values()].some(({ isListening }) => isListening)
    monitor.metrics.addWorkerMetrics(() => this.#collectMetrics())
  }

  async start(): Promise<void> {
    const members = Array.from({ length: this.#config.WORKERS }, () => this.#fork())
    await Promise.all(members.map(({ listening }) => listening))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(
      [...this.#workers.values()].map(async ({ worker, channel, isListening, exited }) => {
        channel.notify('stop', null)
        // One that has not got as far as listening has nobody to take leave of.
        if (isListening) await Promise.race([exited, delay(STOP_TIMEOUT_MS, undefined, { ref: false })])
        worker.process.kill('SIGKILL')
        await exited
      }),
    )
  }

  #fork(): SupervisedWorker {
    const worker = cluster.fork()
    const { id } = worker
    let listen = { resolve: () => {}, reject: (_error: Error) => {} }
    const listening = new Promise<void>((resolve, reject) => {
      listen = { resolve, reject }
    })
    // Only the first start waits for it.
    listening.catch(() => {})
    const channel = new RpcChannel(
      {
        // To one that is just ending there is nothing left to say.
        send: (message) => worker.isConnected() && worker.send(message, () => {}),
        onMessage: (listener) => worker.on('message', listener),
      },
      {
        ...this.#sharedState.handlersFor(id),
        config: () => this.#config,
        listening: () => {
          member.isListening = true
          listen.resolve()
        },
        failed: ({ message, ...details }: StartFailure) => listen.reject(Object.assign(new Error(message), details)),
        removal: () => this.#expireCachesOfOthers(id),
        timed: ([operation, ms, failed]: [string, number, boolean]) => this.#observatory.durations.add(operation, ms, failed),
      },
    )
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code, signal) => {
        listen.reject(new Error(`a worker ended with ${signal ?? code} before it listened`))
        this.#onExit(id, signal ?? code)
        resolve()
      })
    })
    const member: SupervisedWorker = { worker, channel, startedAt: Date.now(), listening, isListening: false, exited }
    this.#workers.set(id, member)
    return member
  }

  #onExit(id: number, how: string | number): void {
    const member = this.#workers.get(id)
    this.#workers.delete(id)
    this.#sharedState.releaseWorker(id)
    member?.channel.close()
    if (this.#stopping || member === undefined) return
    this.#logger.error({ worker: member.worker.process.pid, how }, 'a worker ended: another takes its place')
    const pause = Math.max(0, RESPAWN_DELAY_MS - (Date.now() - member.startedAt))
    setTimeout(() => {
      if (!this.#stopping) this.#fork()
    }, pause).unref()
  }

  /** Who does not answer is stuck, and by the time it is not it no longer believes what it knew. */
  async #expireCachesOfOthers(by: number): Promise<void> {
    const others = [...this.#workers].filter(([id, { isListening }]) => id !== by && isListening)
    await Promise.all(others.map(([, { channel }]) => resultWithin(VERSIONS_MAX_AGE_MS, channel.call('expire'))))
  }

  async #collectMetrics(): Promise<MetricValues[]> {
    const answers = await Promise.all(
      [...this.#workers.values()].map(({ channel }) => resultWithin(METRICS_TIMEOUT_MS, channel.call<MetricValues>('metrics'))),
    )
    return answers.filter((answer) => answer !== null)
  }
}

/** `null` when it takes longer, or fails. */
async function resultWithin<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const given = new AbortController()
  const late = delay(ms, null, { signal: given.signal }).catch(() => null)
  try {
    return await Promise.race([work.catch(() => null), late])
  } finally {
    given.abort()
  }
}
