import type { Collection } from '../../../ports/collection.js'
import { ModelUnavailableError } from '../../../ports/document-store.js'
import type { Generation } from '../../../ports/generations.js'
import type { GenerationStore, Models, Snapshot, SnapshotOptions } from '../../../ports/models.js'
import type { ControlDatabase } from '../control-database.js'
import type { WalCheckpointer } from '../wal/checkpointer.js'
import { SqliteGenerationStore } from './generation-store.js'
import { type PooledView, ReadPool } from './read-pool.js'

/** The documents of a folder's generations. */
export class SqliteModels implements Models {
  readonly #control: ControlDatabase
  readonly #checkpointer: WalCheckpointer | null
  /** By projection. */
  readonly #pools = new Map<string, ReadPool>()

  constructor(control: ControlDatabase, checkpointer: WalCheckpointer | null) {
    this.#control = control
    this.#checkpointer = checkpointer
  }

  async openGeneration(generation: Generation, collections: readonly Collection[]): Promise<GenerationStore> {
    const path = this.#control.pathOf(generation)
    return new SqliteGenerationStore(path, generation, collections, this.#checkpointer, () => this.#control.signal.fire())
  }

  async snapshot(projections: readonly string[], { invalidationLogs = false }: SnapshotOptions = {}): Promise<Snapshot> {
    const views = new Map<string, PooledView>()
    const release = () => {
      for (const view of views.values()) view.release()
    }
    try {
      for (const projection of projections) views.set(projection, this.#view(projection, invalidationLogs))
    } catch (error) {
      release()
      throw error
    }
    return {
      model: (projection) => {
        const view = views.get(projection)
        if (view === undefined) throw new Error(`the snapshot does not include ${projection}`)
        return view
      },
      release,
    }
  }

  onChange(listener: () => void): () => void {
    return this.#control.signal.listen(listener)
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close()
  }

  #view(projection: string, withInvalidationLog: boolean): PooledView {
    const generation = this.#control.live(projection)
    if (generation === undefined) throw new ModelUnavailableError(projection)
    const path = this.#control.pathOf(generation)
    let pool = this.#pools.get(projection)
    if (pool?.path !== path) {
      if (!this.#control.exists(generation)) throw new ModelUnavailableError(projection)
      // An open file of the previous live generation would keep its disk space after it is dropped.
      pool?.close()
      pool = new ReadPool(path)
      this.#pools.set(projection, pool)
    }
    return pool.view(generation, withInvalidationLog)
  }
}
