import type { Position } from '../../events/index.js'
import { isOrdinaryProgress, type ModelVersion, type ModelVersions } from './model-versions.js'

/** `behind`: at most a second old. `void`: must not be shown. */
export type Freshness = 'current' | 'behind' | 'void'

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
