/**
 * Opens the stores that the configuration names. Apart from the rest of `app.ts` because most commands and threads need
 * nothing else; what stands behind a port is loaded only where it is used.
 */
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { NatsOptions } from '../adapters/nats/connection.js'
import { SqliteDocumentStore, type SqliteOptions } from '../adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../adapters/sqlite/event-log.js'
import { SqliteEventStore } from '../adapters/sqlite/event-store.js'
import { bufferPerTick } from '../lib/batched-output.js'
import { withTemporaryFolder } from '../lib/temporary-folder.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { EventStore } from '../ports/event-store.js'
import { type Config, ConfigError } from './config.js'

/** Log lines go to standard error: standard output belongs to the commands. */
export const createLogger = ({ LOG_LEVEL }: Config): Logger => pino({ level: LOG_LEVEL, base: null }, bufferPerTick(pino.destination(2)))

/** Where events come from. NATS is not asked before it is needed: a process starts and serves while it is away. */
export async function openLog(config: Config): Promise<EventLog> {
  const nats = natsOptions(config)
  if (nats === null) return openEmbeddedLog(config)
  const { JetStreamEventLog } = await import('../adapters/nats/event-log.js')
  return new JetStreamEventLog({ ...nats, stream: config.NATS_STREAM, create: config.NATS_CREATE, replicas: config.NATS_REPLICAS })
}

export const openEmbeddedLog = ({ DATA_DIR }: Config): EventLog => new SqliteEventLog(join(DATA_DIR, 'log', 'events.db'))

/** Null without NATS. */
export function natsOptions(config: Config): NatsOptions | null {
  if (config.NATS_URL === undefined) return null
  return {
    servers: config.NATS_URL,
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    token: config.NATS_TOKEN,
    credentials: config.NATS_CREDS,
    tls: { ca: config.NATS_TLS_CA, cert: config.NATS_TLS_CERT, key: config.NATS_TLS_KEY },
  }
}

export async function openDocuments({ MONGODB_URL, DATA_DIR }: Config, options?: SqliteOptions): Promise<DocumentStore> {
  if (MONGODB_URL === undefined) return SqliteDocumentStore.open(join(DATA_DIR, 'models'), options)
  const { MongoDocumentStore } = await import('../adapters/mongo/document-store.js')
  const { MongoUrlError } = await import('../adapters/mongo/connection.js')
  try {
    return await MongoDocumentStore.open(MONGODB_URL)
  } catch (error) {
    throw error instanceof MongoUrlError ? new ConfigError(`MONGODB_URL: ${error.message}`) : error
  }
}

/** Where ask jobs live. */
export async function openEventStore(config: Config): Promise<EventStore> {
  const { DATA_DIR, EVENTSTORE_URL, NATS_REPLICAS } = config
  if (EVENTSTORE_URL === undefined) return new SqliteEventStore(join(DATA_DIR, 'asks', 'events.db'))
  const nats = natsOptions(config)
  if (EVENTSTORE_URL === 'nats' && nats !== null) {
    const { JetStreamEventStore } = await import('../adapters/nats/event-store.js')
    return new JetStreamEventStore({ ...nats, name: 'VITRINE', replicas: NATS_REPLICAS })
  }
  const { EventStoreDbEventStore } = await import('../adapters/eventstore/event-store.js')
  return new EventStoreDbEventStore(EVENTSTORE_URL)
}

/** A document store of its own for work that throws its documents away: always embedded, whatever the live one is. */
export function withScratchStore<T>(work: (scratch: DocumentStore) => Promise<T>): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const scratch = await SqliteDocumentStore.open(folder)
    try {
      return await work(scratch)
    } finally {
      await scratch.close()
    }
  })
}
