/** Kept of each operation. */
const MAX_SAMPLES = 512

export interface OperationTimes {
  operation: string
  /** Since the process started. */
  count: number
  failed: number
  /** In milliseconds, of the latest calls. */
  median: number
  p95: number
  slowest: number
}

/** Durations of the latest calls of each operation: exact, unlike the buckets of a histogram. */
export class Durations {
  readonly #byOperation = new Map<string, { count: number; failed: number; latest: Float64Array }>()

  add(operation: string, ms: number, failed: boolean): void {
    const known = this.#byOperation.get(operation) ?? { count: 0, failed: 0, latest: new Float64Array(MAX_SAMPLES) }
    known.latest[known.count % MAX_SAMPLES] = ms
    known.count += 1
    if (failed) known.failed += 1
    this.#byOperation.set(operation, known)
  }

  /** Slowest first. */
  table(): OperationTimes[] {
    const rows = [...this.#byOperation].map(([operation, { count, failed, latest }]) => {
      const sorted = latest.slice(0, Math.min(count, MAX_SAMPLES)).sort()
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
      return { operation, count, failed, median: at(0.5), p95: at(0.95), slowest: sorted.at(-1) ?? 0 }
    })
    return rows.sort((a, b) => b.p95 - a.p95)
  }
}
