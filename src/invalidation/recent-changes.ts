import type { InvalidationLog } from './invalidation-log.js'

/** Marks remembered. What was touched before the oldest of them is no longer known. */
const MAX_TAGS = 200_000
/** Moments of a model that answers may have been read at. */
const MAX_FINGERPRINTS = 512

interface TrackedModel {
  /** The last change of which nobody knows what it touched. */
  unknownUntil: number
  /** Stamps, and from which change on it is known what was touched behind them. */
  changeOfFingerprint: Map<string, number>
}

/** What has been touched lately, by the number of the change in which it was noticed. */
export class RecentChanges {
  /** The longest untouched first. */
  readonly #lastChangeOfTag = new Map<number, number>()
  readonly #models = new Map<string, TrackedModel>()
  readonly #maxMarks: number
  #forgotten = 0

  constructor(maxMarks = MAX_TAGS) {
    this.#maxMarks = maxMarks
  }

  /** A model was seen to have moved from one moment to another. Without a trail that leads there, anything may have been touched. */
  record(model: string, from: string | undefined, to: string, invalidationLog: InvalidationLog | null, change: number): void {
    const followed = this.#models.get(model) ?? { unknownUntil: change, changeOfFingerprint: new Map<string, number>() }
    this.#models.set(model, followed)
    const start = invalidationLog?.to === to ? invalidationLog.entries.findIndex((step) => step.from === from) : -1
    const steps = start < 0 ? [] : (invalidationLog?.entries.slice(start) ?? [])
    if (steps.length === 0) followed.unknownUntil = change
    for (const step of steps) {
      // Somebody may have read at a moment that was passed unseen; then all of the change came behind it.
      followed.changeOfFingerprint.set(step.from, followed.changeOfFingerprint.get(step.from) ?? change - 1)
      this.#recordTags(step.tags(), change)
    }
    followed.changeOfFingerprint.set(to, change)
    forgetOldest(followed.changeOfFingerprint, MAX_FINGERPRINTS)
  }

  /** From which change on it is known what was touched behind this moment. */
  changeAt(model: string, stamp: string): number | undefined {
    return this.#models.get(model)?.changeOfFingerprint.get(stamp)
  }

  /** Whether any of the marks was touched after a change, or may have been. */
  mayHaveChangedAfter(change: number, models: readonly string[], marks: Uint32Array): boolean {
    if (change < this.#forgotten) return true
    for (const model of models) if ((this.#models.get(model)?.unknownUntil ?? Number.POSITIVE_INFINITY) > change) return true
    for (const mark of marks) if ((this.#lastChangeOfTag.get(mark) ?? 0) > change) return true
    return false
  }

  #recordTags(marks: Uint32Array, change: number): void {
    for (const mark of marks) {
      this.#lastChangeOfTag.delete(mark)
      this.#lastChangeOfTag.set(mark, change)
    }
    this.#forgotten = Math.max(this.#forgotten, forgetOldest(this.#lastChangeOfTag, this.#maxMarks))
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
