import type { CommittedBatch, Meter, RunnerState } from '../engine/fold/telemetry.js'

export interface Beat {
  state: RunnerState
  /** When the loop last came round, in milliseconds since 1970. */
  at: number
}

export interface BatchFigures extends CommittedBatch {
  projection: string
}

/** What the projector's thread has to tell since it last told something. Plain data. */
export interface Figures {
  beats: Record<string, Beat>
  batches: BatchFigures[]
}

/** Often enough for a graph, and rare enough to cost nothing. */
const TELL_MS = 250

/** Collects the projector's figures and passes them on a few times a second, to another thread or not. */
export class FigureBook implements Meter {
  readonly #tell: (figures: Figures) => void
  readonly #timer: NodeJS.Timeout
  #figures: Figures = { beats: {}, batches: [] }

  constructor(tell: (figures: Figures) => void) {
    this.#tell = tell
    this.#timer = setInterval(() => this.#flush(), TELL_MS)
    this.#timer.unref()
  }

  turned(projection: string, state: RunnerState): void {
    this.#figures.beats[projection] = { state, at: Date.now() }
  }

  committed(projection: string, batch: CommittedBatch): void {
    this.#figures.batches.push({ projection, ...batch })
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#flush()
  }

  #flush(): void {
    const figures = this.#figures
    if (figures.batches.length === 0 && Object.keys(figures.beats).length === 0) return
    this.#figures = { beats: {}, batches: [] }
    this.#tell(figures)
  }
}
