import type { InvalidationLog } from './invalidation-log.js'

/** Older changes than those of the oldest tag are unknown. */
const MAX_TAGS = 200_000
/** Fingerprints kept per model. */
const MAX_FINGERPRINTS = 512

interface TrackedModel {
  /** The last change whose tags are unknown. */
  unknownUntil: number
  /** By fingerprint: the change after which all tags are known. */
  changeOfFingerprint: Map<string, number>
}

/** Which cache tags changed lately, by the number of the change. */
export class RecentChanges {
  /** The oldest change first. */
  readonly #lastChangeOfTag = new Map<number, number>()
  readonly #models = new Map<string, TrackedModel>()
  readonly #maxTags: number
  #forgotten = 0

  constructor(maxTags = MAX_TAGS) {
    this.#maxTags = maxTags
  }

  /** A model has moved from one fingerprint to another. Without an invalidation log between them, anything may have changed. */
  record(model: string, from: string | undefined, to: string, invalidationLog: InvalidationLog | null, change: number): void {
    const tracked = this.#models.get(model) ?? { unknownUntil: change, changeOfFingerprint: new Map<string, number>() }
    this.#models.set(model, tracked)
    const start = invalidationLog?.to === to ? invalidationLog.entries.findIndex((entry) => entry.from === from) : -1
    const entries = start < 0 ? [] : (invalidationLog?.entries.slice(start) ?? [])
    if (entries.length === 0) tracked.unknownUntil = change
    for (const entry of entries) {
      // A reader may have seen a checkpoint in between: for it, the whole change came later.
      tracked.changeOfFingerprint.set(entry.from, tracked.changeOfFingerprint.get(entry.from) ?? change - 1)
      this.#recordTags(entry.tags(), change)
    }
    tracked.changeOfFingerprint.set(to, change)
    forgetOldest(tracked.changeOfFingerprint, MAX_FINGERPRINTS)
  }

  /** The change after which all tags are known for a reader of this fingerprint. */
  changeAt(model: string, fingerprint: string): number | undefined {
    return this.#models.get(model)?.changeOfFingerprint.get(fingerprint)
  }

  /** Whether any of the tags changed after a change, or may have. */
  mayHaveChangedAfter(change: number, models: readonly string[], tags: Uint32Array): boolean {
    if (change < this.#forgotten) return true
    for (const model of models) if ((this.#models.get(model)?.unknownUntil ?? Number.POSITIVE_INFINITY) > change) return true
    for (const tag of tags) if ((this.#lastChangeOfTag.get(tag) ?? 0) > change) return true
    return false
  }

  #recordTags(tags: Uint32Array, change: number): void {
    for (const tag of tags) {
      this.#lastChangeOfTag.delete(tag)
      this.#lastChangeOfTag.set(tag, change)
    }
    this.#forgotten = Math.max(this.#forgotten, forgetOldest(this.#lastChangeOfTag, this.#maxTags))
  }
}

/** Returns the largest number dropped. */
function forgetOldest(numbers: Map<unknown, number>, kept: number): number {
  let gone = 0
  for (const [key, number] of numbers) {
    if (numbers.size <= kept) break
    numbers.delete(key)
    gone = Math.max(gone, number)
  }
  return gone
}
