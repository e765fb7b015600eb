import { DelegatingDocumentStore } from '../delegating-document-store.js'
import { ControlDatabase } from './control-database.js'
import { SqliteCoordination } from './coordination.js'
import { SqliteGenerations } from './generations.js'
import { SqliteModels } from './models/models.js'
import { WalCheckpointer } from './wal/checkpointer.js'

export interface SqliteOptions {
  /** Checkpoints write-ahead logs in a thread of its own, for processes that must not block. */
  checkpointInThread?: boolean
}

/** Read models in a folder: `control.db` lists the generations and leases, each generation is a file of its own. */
export class SqliteDocumentStore extends DelegatingDocumentStore {
  readonly #control: ControlDatabase
  readonly #checkpointer: WalCheckpointer | null
  readonly #models: SqliteModels

  static async open(folder: string, { checkpointInThread = false }: SqliteOptions = {}): Promise<SqliteDocumentStore> {
    return new SqliteDocumentStore(new ControlDatabase(folder), checkpointInThread ? new WalCheckpointer() : null)
  }

  private constructor(control: ControlDatabase, checkpointer: WalCheckpointer | null) {
    const models = new SqliteModels(control, checkpointer)
    const generations = new SqliteGenerations(control, async (generation, collections) => {
      await (await models.openGeneration(generation, collections)).close()
    })
    super(models, generations, new SqliteCoordination(control))
    this.#control = control
    this.#checkpointer = checkpointer
    this.#models = models
  }

  async close(): Promise<void> {
    this.#control.signal.close()
    this.#models.close()
    await this.#checkpointer?.close()
    await this.#control.close()
  }
}
