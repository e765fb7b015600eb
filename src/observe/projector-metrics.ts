import type { CommittedBatch, Meter, OwnHealth } from '../engine/fold/telemetry.js'

export interface BatchMetrics extends CommittedBatch {
  projection: string
}

/** What the projector's thread sends: everything since the last time. Plain data. */
export interface ProjectorMetrics {
  healths: Record<string, OwnHealth>
  batches: BatchMetrics[]
}

/** Often enough for a graph, and too rare to cost anything. */
const FLUSH_MS = 250

/** Buffers the projector's metrics and sends them a few times a second, usually to another thread. */
export class ProjectorMetricsBuffer implements Meter {
  readonly #send: (metrics: ProjectorMetrics) => void
  readonly #timer: NodeJS.Timeout
  readonly #reported = new Set<string>()
  #buffered: ProjectorMetrics = { healths: {}, batches: [] }

  constructor(send: (metrics: ProjectorMetrics) => void) {
    this.#send = send
    this.#timer = setInterval(() => this.#flush(), FLUSH_MS)
    this.#timer.unref()
  }

  report(projection: string, own: OwnHealth): void {
    this.#buffered.healths[projection] = own
    // The first one at once: a thread that crashes again may not live until the next flush.
    if (this.#reported.has(projection)) return
    this.#reported.add(projection)
    this.#flush()
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
    if (metrics.batches.length === 0 && Object.keys(metrics.healths).length === 0) return
    this.#buffered = { healths: {}, batches: [] }
    this.#send(metrics)
  }
}
