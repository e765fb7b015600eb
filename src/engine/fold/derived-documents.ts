import type { Commit, Reads, Write } from '../../ports/document-store.js'
import type { DerivedDefinition, Projection } from '../definition/projection.js'

/** Adds a projection's derived documents to its commits. */
export class DerivedDocuments {
  readonly #derived: DerivedDefinition | undefined
  /** From the last commit that changed them. */
  #last: readonly Write[] | null = null

  constructor({ derived }: Projection) {
    this.#derived = derived
  }

  /** The writes with those of the derived documents, or with a function that computes them inside the commit. */
  withDerived(writes: readonly Write[]): Pick<Commit, 'writes' | 'computeDerived'> {
    const derived = this.#derived
    if (derived === undefined) return { writes }
    const updated = this.#last && derived.update(this.#last, writes)
    if (updated !== null) {
      if (updated.length > 0) this.#last = updated
      return { writes: [...writes, ...updated] }
    }
    const computeDerived = async (reads: Reads) => {
      this.#last = await derived.compute(reads)
      return [...this.#last]
    }
    return { writes, computeDerived }
  }

  /** A commit with derived documents has failed. */
  forget(): void {
    this.#last = null
  }
}
