import { setTimeout as delay } from 'node:timers/promises'
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb'

const DEFAULT_DATABASE = 'vitrine'

/** Ours unless the URL says otherwise. */
const DEFAULTS: MongoClientOptions = {
  appName: 'vitrine',
  // Short enough for a projector to be stopped while there is no server; it tries again for ever anyway.
  serverSelectionTimeoutMS: 5000,
  // A server that comes back is noticed soon, also while nobody asks.
  heartbeatFrequencyMS: 2000,
}

export interface Connection {
  client: MongoClient
  /** For readers: with the URL's read preference. */
  reading: Db
  /** For the projector: what it reads it has written, and what it writes must not be lost again. */
  writing: Db
  close(): Promise<void>
}

/** Between two attempts to connect. Most wait for a server as long as any question does, but one that is refused ends at once. */
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2000

/** The address cannot be one. The message does not repeat it: it may hold a password. */
export class MongoUrlError extends Error {
  override name = 'MongoUrlError'
}

/** Connects by itself with the first question, and again whenever it has to, until it is closed. */
export function createConnection(url: string): Connection {
  try {
    return createClient(url)
  } catch (error) {
    // Nothing is asked of a server yet: whatever is wrong is wrong with the address.
    throw new MongoUrlError(error instanceof Error ? error.message : String(error))
  }
}

function createClient(url: string): Connection {
  const options = Object.entries(DEFAULTS).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url))
  // JSON has no undefined: a member that holds it is no member.
  const client = new MongoClient(url, { ...Object.fromEntries(options), ignoreUndefined: true })
  const name = /^[^:]+:\/\/[^/]*\/([^?]+)/.exec(url)?.[1]
  const database = name === undefined ? DEFAULT_DATABASE : decodeURIComponent(name)
  return {
    client,
    reading: client.db(database),
    writing: client.db(database, { readPreference: 'primary', writeConcern: { w: 'majority' } }),
    close: reconnectUntilClosed(client),
  }
}

/**
 * The driver gets over servers that go and come, but not over a first attempt that has found none: its client then takes
 * itself for closed, and whatever is asked of it fails at once, for ever. So it is told to connect again. Returns how to close it.
 */
function reconnectUntilClosed(client: MongoClient): () => Promise<void> {
  const closing = new AbortController()
  let trying: Promise<void> | null = null
  const tryAgain = async (): Promise<void> => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
      await delay(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        await client.connect()
        return
      } catch {
        // Whoever asks something meanwhile hears that there is nobody; "vitrine doctor" says why.
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
    // Connected in that very moment.
    await client.close()
  }
}
