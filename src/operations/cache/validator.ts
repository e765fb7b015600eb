import type { Position } from '../../events/index.js'
import { isOrdinaryProgress, type ModelVersion, type ModelVersions } from './model-versions.js'

/** `behind`: outdated by ordinary events, may be shown for a second. `void`: must not be shown. */
type Freshness = 'current' | 'behind' | 'void'

/** What an answer depends on: versions of models, and the cache tags of what was read from them. */
export class CacheValidator {
  readonly #tags: Uint32Array
  /** The versions that were read, or the latest ones for which the answer is known to be the same. */
  #versions: readonly ModelVersion[]
  /** The change up to which that is known. */
  #change: number | undefined

  constructor(versions: readonly ModelVersion[], tags: Uint32Array) {
    this.#versions = versions
    this.#tags = tags
  }

  /** The lowest position of the models: everything up to here is in the answer. */
  get position(): Position {
    return Math.min(...this.#versions.map(({ position }) => position)) as Position
  }

  get bytes(): number {
    return this.#tags.byteLength
  }

  freshness(versions: ModelVersions): Freshness {
    if (this.#change === versions.change) return 'current'
    const now: ModelVersion[] = []
    let moved = false
    let ordinary = true
    for (const version of this.#versions) {
      const known = versions.of(version.model)
      if (known === undefined) return 'void'
      now.push(known)
      if (known.fingerprint === version.fingerprint) continue
      moved = true
      ordinary &&= isOrdinaryProgress(version, known)
    }
    // A removal or repair of other documents does not matter.
    if (moved && versions.mayHaveChanged(this.#versions, this.#change, this.#tags)) return ordinary ? 'behind' : 'void'
    this.#versions = now
    this.#change = versions.change
    return 'current'
  }
}

const RECOMPUTE_BURST = 3
const RECOMPUTES_PER_MS = 1 / 1000

/** Token bucket: how often an answer may be recomputed. What changes all the time is recomputed once a second. */
export class RecomputeLimit {
  #tokens = RECOMPUTE_BURST
  #at: number

  constructor(now: number) {
    this.#at = now
  }

  take(now: number): boolean {
    if (!this.has(now)) return false
    this.#tokens -= 1
    return true
  }

  has(now: number): boolean {
    // A clock that is set back adds no tokens.
    this.#tokens = Math.min(RECOMPUTE_BURST, this.#tokens + Math.max(0, now - this.#at) * RECOMPUTES_PER_MS)
    this.#at = now
    return this.#tokens >= 1
  }
}
