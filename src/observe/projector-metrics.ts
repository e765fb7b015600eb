import type { CommittedBatch, Meter, RunnerState } from '../engine/fold/telemetry.js'

export interface Heartbeat {
  state: RunnerState
  /** When the loop last came round, in milliseconds since 1970. */
  at: number
}

export interface BatchMetrics extends CommittedBatch {
  projection: string
}

/** What the projector's thread has to tell since it last told something. Plain data. */
export interface ProjectorMetrics {
  beats: Record<string, Heartbeat>
  batches: BatchMetrics[]
}

/** Often enough for a graph, and rare enough to cost nothing. */
const FLUSH_MS = 250

/** Collects the projector's figures and passes them on a few times a second, to another thread or not. */
export class ProjectorMetricsBuffer implements Meter {
  readonly #send: (figures: ProjectorMetrics) => void
  readonly #timer: NodeJS.Timeout
  #buffered: ProjectorMetrics = { beats: {}, batches: [] }

  constructor(tell: (figures: ProjectorMetrics) => void) {
    this.#send = tell
    this.#timer = setInterval(() => this.#flush(), FLUSH_MS)
    this.#timer.unref()
  }

  heartbeat(projection: string, state: RunnerState): void {
    this.#buffered.beats[projection] = { state, at: Date.now() }
  }

  committed(projection: string, batch: CommittedBatch): void {
    this.#buffered.batches.push({ projection, ...batch })
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#flush()
  }

  #flush(): void {
    const figures = this.#buffered
    if (figures.batches.length === 0 && Object.keys(figures.beats).length === 0) return
    this.#buffered = { beats: {}, batches: [] }
    this.#send(figures)
  }
}
