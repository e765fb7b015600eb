/** Forks several query processes that listen on the same ports, for machines with more than one core, and respawns them. */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { withTimeout } from '../lib/backoff-and-timeout.js'
import type { MetricValues } from '../observe/metrics.js'
import type { Monitor } from '../observe/monitor.js'
import type { LocalReplyStore } from '../operations/kept-replies.js'
import { RpcChannel } from './rpc-channel.js'
import { SharedState } from './shared-state.js'

/** From fork to fork: a worker that fails at its start must not be respawned in a tight loop. */
const RESPAWN_DELAY_MS = 1000
/** Longer than a worker takes to finish its requests; after that it is killed, so that a stop ends within ten seconds. */
const STOP_TIMEOUT_MS = 8000
/** A worker that is too busy to send its metrics is left out this time. */
const METRICS_TIMEOUT_MS = 1000

interface SupervisedWorker {
  worker: Worker
  channel: RpcChannel
  startedAt: number
  /** Resolves once it listens; rejects with the error of the operating system, or when it exits before. */
  listening: Promise<void>
  isListening: boolean
  exited: Promise<void>
}

/** Why a worker cannot start. Errors lose their class between processes, so the fields travel. */
export interface StartFailure {
  message: string
  code?: string | undefined
  syscall?: string | undefined
  path?: string | undefined
  address?: string | undefined
  port?: number | undefined
}

export interface WorkersOptions {
  count: number
  /** The program of a worker. */
  entry: URL
  /** Sent to each worker as it is. */
  config: unknown
  /** How long a worker may use cached answers without asking; one that does not answer is outdated by then anyway. */
  cacheMaxAgeMs: number
  logger: Logger
  monitor: Monitor
  /** The replies that all workers share. */
  replies: LocalReplyStore
  /** Settles when a removal that a worker may know of has cleared them. */
  hearRemovals: () => Promise<unknown>
}

export async function startWorkers(options: WorkersOptions): Promise<{ stop(): Promise<void> }> {
  const supervisor = new Supervisor(options)
  try {
    await supervisor.start()
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  return supervisor
}

class Supervisor {
  readonly #options: WorkersOptions
  readonly #sharedState: SharedState
  readonly #workers = new Map<number, SupervisedWorker>()
  #stopping = false

  constructor(options: WorkersOptions) {
    this.#options = options
    const { entry, monitor, replies, hearRemovals } = options
    this.#sharedState = new SharedState(replies, hearRemovals)
    cluster.setupPrimary({ exec: fileURLToPath(entry), args: [] })
    monitor.serving = () => [...this.#workers.values()].some(({ isListening }) => isListening)
    monitor.metrics.addWorkerMetrics(() => this.#collectMetrics())
  }

  async start(): Promise<void> {
    const workers = Array.from({ length: this.#options.count }, () => this.#fork())
    await Promise.all(workers.map(({ listening }) => listening))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(
      [...this.#workers.values()].map(async ({ worker, channel, isListening, exited }) => {
        channel.notify('stop', null)
        // One that does not listen yet has no requests to finish.
        if (isListening) await Promise.race([exited, delay(STOP_TIMEOUT_MS, undefined, { ref: false })])
        worker.process.kill('SIGKILL')
        await exited
      }),
    )
  }

  #fork(): SupervisedWorker {
    const { config, monitor } = this.#options
    const worker = cluster.fork()
    const { id } = worker
    let listen = { resolve: () => {}, reject: (_error: Error) => {} }
    const listening = new Promise<void>((resolve, reject) => {
      listen = { resolve, reject }
    })
    // Awaited at the first start only; a respawned worker that fails is logged when it exits.
    listening.catch(() => {})
    const channel = new RpcChannel(
      {
        send: (message) => worker.isConnected() && worker.send(message, () => {}),
        onMessage: (listener) => worker.on('message', listener),
      },
      {
        ...this.#sharedState.handlersFor(id),
        config: () => config,
        listening: () => {
          supervised.isListening = true
          listen.resolve()
        },
        failed: ({ message, ...details }: StartFailure) => listen.reject(Object.assign(new Error(message), details)),
        removal: () => this.#expireCachesOfOthers(id),
        timed: ([operation, ms, failed]: [string, number, boolean]) => monitor.durations.add(operation, ms, failed),
      },
    )
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code, signal) => {
        listen.reject(new Error(`a worker ended with ${signal ?? code} before it listened`))
        this.#onExit(id, signal ?? code)
        resolve()
      })
    })
    const supervised: SupervisedWorker = { worker, channel, startedAt: Date.now(), listening, isListening: false, exited }
    this.#workers.set(id, supervised)
    return supervised
  }

  #onExit(id: number, how: string | number): void {
    const exited = this.#workers.get(id)
    this.#workers.delete(id)
    this.#sharedState.releaseWorker(id)
    exited?.channel.close()
    if (this.#stopping || exited === undefined) return
    this.#options.logger.error({ worker: exited.worker.process.pid, how }, 'a worker ended: another takes its place')
    const pause = Math.max(0, RESPAWN_DELAY_MS - (Date.now() - exited.startedAt))
    setTimeout(() => {
      if (!this.#stopping) this.#fork()
    }, pause).unref()
  }

  /** Resolves once no other worker can serve answers from before a removal. */
  async #expireCachesOfOthers(by: number): Promise<void> {
    const others = [...this.#workers].filter(([id, { isListening }]) => id !== by && isListening)
    await Promise.all(others.map(([, { channel }]) => orNullWithin(this.#options.cacheMaxAgeMs, channel.call('expire'))))
  }

  async #collectMetrics(): Promise<MetricValues[]> {
    const answers = await Promise.all(
      [...this.#workers.values()].map(({ channel }) => orNullWithin(METRICS_TIMEOUT_MS, channel.call<MetricValues>('metrics'))),
    )
    return answers.filter((answer) => answer !== null)
  }
}

/** `null` when it takes longer, or fails. */
const orNullWithin = <T>(ms: number, work: Promise<T>): Promise<T | null> => withTimeout(ms, work).catch(() => null)
