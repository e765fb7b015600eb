import type { Trail } from './invalidation-log.js'

/** Marks remembered. What was touched before the oldest of them is no longer known. */
const MAX_MARKS = 200_000
/** Moments of a model that answers may have been read at. */
const MAX_MOMENTS = 512

interface Followed {
  /** The last change of which nobody knows what it touched. */
  lost: number
  /** Stamps, and from which change on it is known what was touched behind them. */
  moments: Map<string, number>
}

/** What has been touched lately, by the number of the change in which it was noticed. */
export class Touches {
  /** The longest untouched first. */
  readonly #last = new Map<number, number>()
  readonly #models = new Map<string, Followed>()
  readonly #maxMarks: number
  #forgotten = 0

  constructor(maxMarks = MAX_MARKS) {
    this.#maxMarks = maxMarks
  }

  /** A model was seen to have moved from one moment to another. Without a trail that leads there, anything may have been touched. */
  moved(model: string, from: string | undefined, to: string, trail: Trail | null, change: number): void {
    const followed = this.#models.get(model) ?? { lost: change, moments: new Map() }
    this.#models.set(model, followed)
    const start = trail?.to === to ? trail.steps.findIndex((step) => step.from === from) : -1
    const steps = start < 0 ? [] : (trail?.steps.slice(start) ?? [])
    if (steps.length === 0) followed.lost = change
    for (const step of steps) {
      // Somebody may have read at a moment that was passed unseen; then all of the change came behind it.
      followed.moments.set(step.from, followed.moments.get(step.from) ?? change - 1)
      this.#touch(step.marks(), change)
    }
    followed.moments.set(to, change)
    forgetOldest(followed.moments, MAX_MOMENTS)
  }

  /** From which change on it is known what was touched behind this moment. */
  knownSince(model: string, stamp: string): number | undefined {
    return this.#models.get(model)?.moments.get(stamp)
  }

  /** Whether any of the marks was touched after a change, or may have been. */
  anyAfter(change: number, models: readonly string[], marks: Uint32Array): boolean {
    if (change < this.#forgotten) return true
    for (const model of models) if ((this.#models.get(model)?.lost ?? Number.POSITIVE_INFINITY) > change) return true
    for (const mark of marks) if ((this.#last.get(mark) ?? 0) > change) return true
    return false
  }

  #touch(marks: Uint32Array, change: number): void {
    for (const mark of marks) {
      this.#last.delete(mark)
      this.#last.set(mark, change)
    }
    this.#forgotten = Math.max(this.#forgotten, forgetOldest(this.#last, this.#maxMarks))
  }
}

/** The largest number that is gone with them. */
function forgetOldest(numbers: Map<unknown, number>, kept: number): number {
  let gone = 0
  for (const [key, number] of numbers) {
    if (numbers.size <= kept) break
    numbers.delete(key)
    gone = Math.max(gone, number)
  }
  return gone
}
