import type { Position } from '../../events/index.js'
import { isOrdinaryProgress, type ModelVersion, type ModelVersions } from './model-versions.js'

/** `behind`: still true of a moment ago. `void`: not to be shown any more. */
export type Freshness = 'current' | 'behind' | 'void'

/** What an answer rests on: versions of models, and the marks of what was read of them. */
export class CacheValidator {
  readonly #tags: Uint32Array
  /** As it was read; later as of the last time when it was found that it would be read the same. */
  #versions: readonly ModelVersion[]
  /** The change up to which that has been found. */
  #change: number | undefined

  constructor(versions: readonly ModelVersion[], marks: Uint32Array) {
    this.#versions = versions
    this.#tags = marks
  }

  /** The lowest position of the models: everything up to here is in the answer. */
  get position(): Position {
    return Math.min(...this.#versions.map(({ position }) => position)) as Position
  }

  get bytes(): number {
    return this.#tags.byteLength
  }

  /** How the answer stands to what is known of the models now. */
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
    // Somebody else's removal, or a repair of something else, is no reason to read the same again.
    if (moved && versions.mayHaveChanged(this.#versions, this.#change, this.#tags)) return ordinary ? 'behind' : 'void'
    this.#versions = now
    this.#change = versions.change
    return 'current'
  }
}
