import type { Collection } from '../../../ports/collection.js'
import type { Generation } from '../../../ports/generations.js'
import type { GenerationStore, Models, Snapshot, SnapshotOptions } from '../../../ports/models.js'
import type { ChangeStreamListener } from '../change-stream.js'
import type { Connection } from '../connection.js'
import { DocumentLoader } from './document-loader.js'
import { MongoGenerationStore } from './generation-store.js'
import { GroupCommit } from './group-commit.js'
import { takeSnapshot } from './snapshot.js'

/** The documents of all generations in a database. Generations opened here load and commit together. */
export class MongoModels implements Models {
  readonly #connection: Connection
  readonly #changes: ChangeStreamListener
  readonly #firstAnswerMs: number
  readonly #groupCommit: GroupCommit
  readonly #loader: DocumentLoader

  constructor(connection: Connection, changes: ChangeStreamListener, firstAnswerMs: number) {
    this.#connection = connection
    this.#changes = changes
    this.#firstAnswerMs = firstAnswerMs
    this.#groupCommit = new GroupCommit(connection.client, connection.writing)
    this.#loader = new DocumentLoader(connection.writing)
  }

  async openGeneration(generation: Generation, collections: readonly Collection[]): Promise<GenerationStore> {
    return new MongoGenerationStore(this.#connection, generation, collections, this.#groupCommit, this.#loader, this.#changes.notify)
  }

  snapshot(projections: readonly string[], { invalidationLogs = false }: SnapshotOptions = {}): Promise<Snapshot> {
    return takeSnapshot(this.#connection, projections, invalidationLogs, this.#firstAnswerMs)
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener)
  }

  async close(): Promise<void> {
    await this.#groupCommit.close()
  }
}
