import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Db, MongoClient, type MongoClientOptions, type TopologyDescription } from 'mongodb'
import { Backoff } from '../../lib/backoff-and-timeout.js'
import { errorMessage } from '../../lib/message-text.js'

const DEFAULT_DATABASE = 'vitrine'

/** The URL overrides these. */
const DEFAULTS: MongoClientOptions = {
  appName: 'vitrine',
  // Short, so that a projector can stop while there is no server; it retries for ever anyway.
  serverSelectionTimeoutMS: 5000,
  // Detects a server that returns, even without queries.
  heartbeatFrequencyMS: 2000,
}

export interface Connection {
  client: MongoClient
  /** For readers, with the URL's read preference. */
  reading: Db
  /** For the projector: it reads its own writes, and no write may be lost in a failover. */
  writing: Db
  /** Aborts when the servers that `reading` goes to are lost. Ask again with each read: there is a new one once there are servers. */
  lost(): AbortSignal
  close(): Promise<void>
}

/** The pause between attempts to connect. Most attempts wait for a server, but a refused one fails at once. */
export const RECONNECTING = { firstMs: 100, longestMs: 2000 }

/** The URL is invalid. The message does not repeat it: it may hold a password. */
export class MongoUrlError extends Error {
  override name = 'MongoUrlError'
}

/** Connects with the first query, and again when necessary, until it is closed. */
export function createConnection(url: string): Connection {
  try {
    return createClient(url)
  } catch (error) {
    // There is no connection yet, so the URL must be wrong.
    throw new MongoUrlError(errorMessage(error))
  }
}

function createClient(url: string): Connection {
  const options = Object.entries(DEFAULTS).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url))
  // As in JSON, a member that is undefined is left out.
  const client = new MongoClient(url, { ...Object.fromEntries(options), ignoreUndefined: true })
  const name = /^[^:]+:\/\/[^/]*\/([^?]+)/.exec(url)?.[1]
  const database = name === undefined ? DEFAULT_DATABASE : decodeURIComponent(name)
  const reading = client.db(database)
  return {
    client,
    reading,
    writing: client.db(database, { readPreference: 'primary', writeConcern: { w: 'majority' } }),
    lost: watchLoss(client, reading.readPreference?.mode ?? 'primary'),
    close: reconnectUntilClosed(client),
  }
}

/** The driver itself would send a read again and wait for the next primary. */
function watchLoss(client: MongoClient, mode: string): () => AbortSignal {
  const usable = ({ servers }: TopologyDescription) =>
    [...servers.values()].flatMap((server) => ((mode === 'primary' ? server.isWritable : server.isReadable) ? server.address : []))
  const unlost = () => {
    const controller = new AbortController()
    // Every read under way listens.
    setMaxListeners(0, controller.signal)
    return controller
  }
  let loss = unlost()
  client.on('topologyDescriptionChanged', ({ previousDescription, newDescription }) => {
    const [before, now] = [usable(previousDescription), usable(newDescription)]
    if (before.length > 0 && !before.some((address) => now.includes(address))) loss.abort()
    if (now.length > 0 && loss.signal.aborted) loss = unlost()
  })
  return () => loss.signal
}

/**
 * The driver reconnects by itself, except after a first attempt that found no server: the client then counts as closed and
 * every call fails at once. So this connects it again. Returns how to close it.
 */
function reconnectUntilClosed(client: MongoClient): () => Promise<void> {
  const closing = new AbortController()
  let trying: Promise<void> | null = null
  const tryAgain = async (): Promise<void> => {
    const backoff = new Backoff(RECONNECTING)
    for (;;) {
      await delay(backoff.failed(), undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        await client.connect()
        return
      } catch {
        // Queries fail until it succeeds; "vitrine doctor" tells why.
      }
    }
  }
  client.on('topologyClosed', () => {
    if (closing.signal.aborted) return
    trying ??= tryAgain().finally(() => {
      trying = null
    })
  })
  return async () => {
    closing.abort()
    await client.close()
    await trying
    // It may have connected in that moment.
    await client.close()
  }
}
