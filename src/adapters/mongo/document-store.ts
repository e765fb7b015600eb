import { type DocumentStore, joinPorts, type Models } from '../../ports/document-store.js'
import { ChangeStreamListener } from './change-stream.js'
import { createConnection } from './connection.js'
import { checkpointsIn, controlRecordsIn, signalChange } from './control-documents.js'
import { MongoCoordination } from './coordination.js'
import { translateErrors } from './errors.js'
import { dropUnfinished, MongoGenerations } from './generations.js'
import { DocumentLoader } from './models/document-loader.js'
import { MongoGenerationStore } from './models/generation-store.js'
import { FIRST_ANSWER_MS, takeSnapshot } from './models/snapshot.js'
import { GroupCommit } from './models/transactions.js'

export interface MongoOptions {
  /** How long a reader waits for the server's first answer. */
  firstAnswerMs?: number
}

/**
 * Read models in a MongoDB database: `projections` lists the generations and leases, each generation has its own
 * collections. Does not wait for a server: without one, the first query fails.
 */
export async function openMongoStore(url: string, { firstAnswerMs = FIRST_ANSWER_MS }: MongoOptions = {}): Promise<DocumentStore> {
  const connection = createConnection(url)
  const { client, reading, writing } = connection
  const changes = new ChangeStreamListener(checkpointsIn(reading))
  const recordChanges = new ChangeStreamListener(controlRecordsIn(reading))
  const announceChange = async () => {
    await signalChange(writing)
    changes.notify()
  }
  // A lost server sends no changes: listeners have to look for themselves.
  for (const { notify } of [changes, recordChanges]) {
    client.on('serverHeartbeatFailed', notify)
    client.on('connectionPoolCleared', notify)
  }
  // All generations opened here load and commit together.
  const loader = new DocumentLoader(writing)
  const groupCommit = new GroupCommit(client, writing)
  const models: Models = {
    openGeneration: async (generation, collections) =>
      new MongoGenerationStore(connection, generation, collections, groupCommit, loader, changes.notify),
    snapshot: (projections, { invalidationLogs = false } = {}) => takeSnapshot(connection, projections, invalidationLogs, firstAnswerMs),
    onChange: (listener) => changes.listen(listener),
  }
  const coordination = new MongoCoordination(writing, recordChanges, {
    acquired: (projection) => dropUnfinished(writing, projection),
    announceChange,
  })
  const close = async () => {
    await changes.close()
    await recordChanges.close()
    await groupCommit.close()
    await connection.close()
  }
  return joinPorts(models, new MongoGenerations(writing, announceChange), coordination, close, translateErrors)
}
