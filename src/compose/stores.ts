/** Opens the stores that the configuration names. An adapter is loaded only if it is used: most take long to load. */

import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MongoOptions } from '../adapters/mongo/document-store.js'
import type { NatsOptions } from '../adapters/nats/connection.js'
import { openSqliteStore, type SqliteOptions } from '../adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../adapters/sqlite/event-log.js'
import { SqliteEventStore } from '../adapters/sqlite/event-store.js'
import { MAX_AGES } from '../ask/jobs/job-events.js'
import { withTemporaryFolder } from '../lib/folders.js'
import { type DocumentStore, StorageError } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { EventStore } from '../ports/event-store.js'
import { type Config, ConfigError } from './config.js'
import { ownDataFolder } from './data-folder.js'

/** Where events come from. NATS is connected on first use: a process starts and serves without it. */
export async function openLog(config: Config): Promise<EventLog> {
  const nats = natsOptions(config)
  if (nats === null) return openEmbeddedLog(config)
  const { JetStreamEventLog } = await import('../adapters/nats/event-log.js')
  return new JetStreamEventLog({ ...nats, stream: config.NATS_STREAM, create: config.NATS_CREATE, replicas: config.NATS_REPLICAS })
}

export const openEmbeddedLog = (config: Pick<Config, 'DATA_DIR'>): EventLog =>
  new SqliteEventLog(join(ownDataFolder(config), 'log', 'events.db'))

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

export async function openDocuments(config: Config, options?: SqliteOptions & MongoOptions): Promise<DocumentStore> {
  const { MONGODB_URL } = config
  if (MONGODB_URL === undefined) return openSqliteStore(join(ownDataFolder(config), 'models'), options)
  const { openMongoStore } = await import('../adapters/mongo/document-store.js')
  const { MongoUrlError } = await import('../adapters/mongo/connection.js')
  try {
    return await openMongoStore(MONGODB_URL, options)
  } catch (error) {
    throw error instanceof MongoUrlError ? new ConfigError(`MONGODB_URL: ${error.message}`) : error
  }
}

/** Where ask jobs live. */
export async function openEventStore(config: Config): Promise<EventStore> {
  const { EVENTSTORE_URL, NATS_STREAM, NATS_REPLICAS, NATS_CREATE } = config
  if (EVENTSTORE_URL === undefined) return new SqliteEventStore(join(ownDataFolder(config), 'asks', 'events.db'), { maxAges: MAX_AGES })
  const nats = natsOptions(config)
  if (EVENTSTORE_URL === 'nats' && nats !== null) {
    const { JetStreamEventStore } = await import('../adapters/nats/event-store.js')
    return new JetStreamEventStore({ ...nats, log: NATS_STREAM, replicas: NATS_REPLICAS, raise: NATS_CREATE, maxAges: MAX_AGES })
  }
  const { EventStoreDbEventStore } = await import('../adapters/eventstore/event-store.js')
  return new EventStoreDbEventStore(EVENTSTORE_URL, { maxAges: MAX_AGES })
}

/** An embedded document store in a temporary folder, which is removed afterwards. */
export const withScratchStore = <T>(work: (scratch: DocumentStore) => Promise<T>): Promise<T> =>
  withTemporaryFolder(async (folder) => closeAfter(await openSqliteStore(folder), work).catch((error) => explainFull(error, folder)))

/** SQLite does not say which disk is full. */
async function explainFull(error: unknown, folder: string): Promise<never> {
  if (!(error instanceof StorageError) || !('code' in error) || error.code !== 'SQLITE_FULL') throw error
  const { blocks, bavail, bsize } = await statfs(folder)
  const [free, size] = [bavail, blocks].map((count) => `${Math.round((count * bsize) / 1e6)} MB`)
  throw new StorageError(
    `the temporary folder ${dirname(folder)} is full (${free} of ${size} are free): set TMPDIR to a folder with more room`,
  )
}

/** The log and the read models, for a command; closed after its work. */
export const withStores = <T>(config: Config, work: (stores: { log: EventLog; documents: DocumentStore }) => Promise<T>): Promise<T> =>
  withLog(config, (log) => withDocuments(config, (documents) => work({ log, documents })))

export const withLog = async <T>(config: Config, work: (log: EventLog) => Promise<T>): Promise<T> => closeAfter(await openLog(config), work)

/** A reader in a hurry asks somewhere else; a command has only this server, which may be busy. */
const COMMAND_ANSWER_MS = 10_000

export const withDocuments = async <T>(config: Config, work: (documents: DocumentStore) => Promise<T>): Promise<T> =>
  closeAfter(await openDocuments(config, { firstAnswerMs: COMMAND_ANSWER_MS }), work)

export async function closeAfter<R extends { close(): Promise<void> }, T>(resource: R, work: (resource: R) => Promise<T>): Promise<T> {
  try {
    return await work(resource)
  } finally {
    await resource.close()
  }
}
