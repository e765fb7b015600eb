import { DelegatingDocumentStore } from '../delegating-document-store.js'
import { ChangeStreamListener } from './change-stream.js'
import { type Connection, createConnection } from './connection.js'
import { checkpointsIn, controlRecordsIn, signalChange } from './control-documents.js'
import { MongoCoordination } from './coordination.js'
import { dropUnfinished, MongoGenerations } from './generations.js'
import { MongoModels } from './models/models.js'
import { FIRST_ANSWER_MS } from './models/snapshot.js'

export interface MongoOptions {
  /** How long a reader waits for the server's first answer. */
  firstAnswerMs?: number
}

/** Read models in a MongoDB database: `projections` lists the generations and leases, each generation has its own collections. */
export class MongoDocumentStore extends DelegatingDocumentStore {
  readonly #connection: Connection
  readonly #models: MongoModels
  readonly #listeners: readonly ChangeStreamListener[]

  /** Does not wait for a server: without one, the first query fails. */
  static async open(url: string, { firstAnswerMs = FIRST_ANSWER_MS }: MongoOptions = {}): Promise<MongoDocumentStore> {
    return new MongoDocumentStore(createConnection(url), firstAnswerMs)
  }

  private constructor(connection: Connection, firstAnswerMs: number) {
    const { client, reading, writing } = connection
    const changes = new ChangeStreamListener(checkpointsIn(reading))
    const recordChanges = new ChangeStreamListener(controlRecordsIn(reading))
    const announceChange = async () => {
      await signalChange(writing)
      changes.notify()
    }
    const models = new MongoModels(connection, changes, firstAnswerMs)
    const coordination = new MongoCoordination(writing, recordChanges, {
      acquired: (projection) => dropUnfinished(writing, projection),
      announceChange,
    })
    super(models, new MongoGenerations(writing, announceChange), coordination)
    this.#connection = connection
    this.#models = models
    this.#listeners = [changes, recordChanges]
    // A lost server sends no changes: listeners have to look for themselves.
    for (const { notify } of this.#listeners) {
      client.on('serverHeartbeatFailed', notify)
      client.on('connectionPoolCleared', notify)
    }
  }

  async close(): Promise<void> {
    for (const listener of this.#listeners) await listener.close()
    await this.#models.close()
    await this.#connection.close()
  }
}
