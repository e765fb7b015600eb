import { type DocumentStore, joinPorts } from '../../ports/document-store.js'
import { ControlDatabase } from './control-database.js'
import { SqliteCoordination } from './coordination.js'
import { SqliteGenerations } from './generations.js'
import { SqliteModels } from './models/models.js'
import { WalCheckpointer } from './write-ahead-log.js'

export interface SqliteOptions {
  /** Checkpoints write-ahead logs in a thread of its own, for processes that must not block. */
  checkpointInThread?: boolean
}

/** Read models in a folder: `control.db` lists the generations and leases, each generation is a file of its own. */
export async function openSqliteStore(folder: string, { checkpointInThread = false }: SqliteOptions = {}): Promise<DocumentStore> {
  const control = new ControlDatabase(folder)
  const checkpointer = checkpointInThread ? new WalCheckpointer() : null
  const models = new SqliteModels(control, checkpointer)
  const generations = new SqliteGenerations(control, async (generation, collections) => {
    await (await models.openGeneration(generation, collections)).close()
  })
  return joinPorts(models, generations, new SqliteCoordination(control), async () => {
    control.signal.close()
    models.close()
    await checkpointer?.close()
    await control.close()
  })
}
