import type { Commit, Reads, Write } from '../../ports/document-store.js'
import type { Projection } from '../definition/projection.js'

/** Adds a projection's derived documents to its commits. */
export class DerivedDocuments {
  readonly #projection: Projection
  readonly #reads: Reads
  /** From the last commit that changed them. */
  #last: readonly Write[] | null = null

  constructor(projection: Projection, reads: Reads) {
    this.#projection = projection
    this.#reads = reads
  }

  /** The writes with those of the derived documents, or with a function that computes them inside the commit. */
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

  /** A commit with derived documents has failed. */
  forget(): void {
    this.#last = null
  }
}
