import type { Commit, Reads, Write } from '../../ports/document-store.js'
import type { Projection } from '../definition/projection.js'

/** Keeps the derived documents of a projection in step with its others, commit by commit. */
export class DerivedDocuments {
  readonly #projection: Projection
  readonly #reads: Reads
  /** As the last commit that changed them left them. */
  #last: readonly Write[] | null = null

  constructor(projection: Projection, reads: Reads) {
    this.#projection = projection
    this.#reads = reads
  }

  /** A commit's writes with those of the derived documents, or with the way to compute them once the others are written. */
  async withDerived(writes: readonly Write[]): Promise<Pick<Commit, 'writes' | 'computeDerived'>> {
    const { derived } = this.#projection
    if (derived === undefined) return { writes }
    const updated = this.#last === null ? null : derived.update(this.#last, writes)
    if (updated !== null) {
      if (updated.length > 0) this.#last = updated
      return { writes: [...writes, ...updated] }
    }
    if (this.#last === null && !(await derived.mayChange(writes, this.#reads))) return { writes }
    const computeDerived = async (reads: Reads) => {
      const computed = await derived.compute(reads)
      this.#last = computed
      return computed
    }
    return { writes, computeDerived }
  }

  /** A commit that was to change them has failed. */
  forget(): void {
    this.#last = null
  }
}
