import type { CommittedBatch, Meter, RunnerState } from '../engine/fold/telemetry.js'

export interface Heartbeat {
  state: RunnerState
  /** When the loop last asked for events, in milliseconds since 1970. */
  at: number
}

export interface BatchMetrics extends CommittedBatch {
  projection: string
}

/** What the projector's thread sends: everything since the last time. Plain data. */
export interface ProjectorMetrics {
  heartbeats: Record<string, Heartbeat>
  batches: BatchMetrics[]
}

/** Often enough for a graph, and too rare to cost anything. */
const FLUSH_MS = 250

/** Buffers the projector's metrics and sends them a few times a second, usually to another thread. */
export class ProjectorMetricsBuffer implements Meter {
  readonly #send: (metrics: ProjectorMetrics) => void
  readonly #timer: NodeJS.Timeout
  #buffered: ProjectorMetrics = { heartbeats: {}, batches: [] }

  constructor(send: (metrics: ProjectorMetrics) => void) {
    this.#send = send
    this.#timer = setInterval(() => this.#flush(), FLUSH_MS)
    this.#timer.unref()
  }

  heartbeat(projection: string, state: RunnerState): void {
    this.#buffered.heartbeats[projection] = { state, at: Date.now() }
  }

  committed(projection: string, batch: CommittedBatch): void {
    this.#buffered.batches.push({ projection, ...batch })
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#flush()
  }

  #flush(): void {
    const metrics = this.#buffered
    if (metrics.batches.length === 0 && Object.keys(metrics.heartbeats).length === 0) return
    this.#buffered = { heartbeats: {}, batches: [] }
    this.#send(metrics)
  }
}
