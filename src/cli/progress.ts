import type { Request } from '../engine/requests/request-store.js'
import { visibleText } from '../lib/visible-text.js'
import { rebuildProgress } from '../observe/engine-status.js'
import type { OutputStream } from './io.js'

const CLEAR_LINE = '\r\u001b[2K'

/** One line on standard error that is drawn over. Nothing is written unless that is a terminal. */
export class StatusLine {
  readonly #stderr: OutputStream
  #isShown = false

  constructor(stderr: OutputStream) {
    this.#stderr = stderr
  }

  draw(text: () => string): void {
    if (!this.#stderr.isTTY) return
    this.#isShown = true
    this.#stderr.write(CLEAR_LINE + visibleText(text()))
  }

  /** Clears the line, so that nothing covers what is printed next. */
  end(): void {
    if (this.#isShown) this.#stderr.write(CLEAR_LINE)
    this.#isShown = false
  }
}

const INTERVAL_MS = 100

/** How far a piece of work has come, with rate and time left. */
export class Progress extends StatusLine {
  readonly #label: string
  readonly #total: number | null
  readonly #started = Date.now()
  #shownAt = 0
  #done = 0

  constructor(stderr: OutputStream, label: string, total: number | null) {
    super(stderr)
    this.#label = label
    this.#total = total
  }

  advance(by: number): void {
    this.#done += by
    const now = Date.now()
    if (now - this.#shownAt < INTERVAL_MS) return
    this.#shownAt = now
    this.draw(() => this.#describe(now))
  }

  #describe(now: number): string {
    const rate = rateOf(this.#done, now - this.#started)
    const share =
      this.#total === null
        ? ''
        : ` ${Math.floor((this.#done / this.#total) * 100)} %, ${Math.ceil((this.#total - this.#done) / rate)} s left`
    return `${this.#label}: ${formatCount(this.#done)} (${formatCount(Math.round(rate))}/s)${share}`
  }
}

/** Shows the progress of `work`, which says by how much it has advanced, until it ends. */
export async function withProgress<T>(
  stderr: OutputStream,
  label: string,
  total: number | null,
  work: (advance: (by: number) => void) => Promise<T>,
): Promise<T> {
  const progress = new Progress(stderr, label, total)
  try {
    return await work((by) => progress.advance(by))
  } finally {
    progress.end()
  }
}

/** An open request, with rate and time left. */
export function describeRequest(request: Request): string {
  const { projection, phase } = request
  const progress = rebuildProgress([request], Date.now())
  if (progress === null || (phase !== 'loading' && phase !== 'catching up')) return `${projection}: ${phase}`
  const { position, total, eventsPerSecond, secondsLeft } = progress
  const left = secondsLeft === null ? '' : `, ${formatCount(Math.round(eventsPerSecond))}/s, ${Math.ceil(secondsLeft)} s left`
  return `${projection}: ${phase} ${formatCount(position)} of ${formatCount(total)}${left}`
}

/** Per second. */
const rateOf = (done: number, ms: number): number => done / Math.max(0.001, ms / 1000)

const formatCount = (count: number): string => count.toLocaleString('en')
