import {
  type Collection,
  type Generation,
  type GenerationStore,
  type Models,
  ModelUnavailableError,
  type ModelView,
  type Snapshot,
  type SnapshotOptions,
} from '../../src/ports/document-store.js'
import { snapshotOf } from '../../src/ports/models.js'
import type { MemoryDisk } from './memory-disk.js'
import { type GenerationData, MemoryGeneration } from './memory-generation.js'
import { MemoryReads } from './memory-reads.js'

export class MemoryModels implements Models {
  readonly #disk: MemoryDisk
  readonly #listen: MemoryDisk['listen']

  constructor(disk: MemoryDisk, listen: MemoryDisk['listen']) {
    this.#disk = disk
    this.#listen = listen
  }

  async openGeneration(generation: Generation): Promise<GenerationStore> {
    return new MemoryGeneration(this.#disk.get(generation), { ...generation }, () => this.#disk.notify())
  }

  async snapshot(projections: readonly string[], { invalidationLogs = false }: SnapshotOptions = {}): Promise<Snapshot> {
    const views = new Map(projections.map((projection) => [projection, this.#view(projection, invalidationLogs)]))
    return snapshotOf(views, () => {})
  }

  onChange(listener: () => void): () => void {
    return this.#listen(listener)
  }

  #view(projection: string, withInvalidationLog: boolean): ModelView {
    const live = this.#disk.live(projection)
    if (live === undefined) throw new ModelUnavailableError(projection)
    return new MemoryModelView({ ...live }, { ...live.generation }, withInvalidationLog ? live.invalidationLog : null)
  }
}

/** Keeps the documents of its moment; later commits make new ones. */
class MemoryModelView extends MemoryReads implements ModelView {
  readonly checkpoint

  constructor(
    { documents, indexed, checkpoint }: GenerationData,
    readonly generation: Generation,
    readonly invalidationLog: string | null,
  ) {
    super(
      () => documents,
      () => indexed,
    )
    this.checkpoint = structuredClone(checkpoint)
  }

  async removedAmong(collection: Collection, ids: readonly string[]) {
    return (await this.get(collection, ids)).flatMap((doc) => (doc !== undefined && 'removed' in doc && doc.removed ? [doc._id] : []))
  }

  /** There is no index that could be wrong. */
  async indexFaults() {
    return []
  }
}
