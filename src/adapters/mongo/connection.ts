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
}

/** The address cannot be one. The message does not repeat it: it may hold a password. */
export class MongoUrlError extends Error {
  override name = 'MongoUrlError'
}

/** Connects by itself with the first question, and again whenever it has to. */
export function connectionTo(url: string): Connection {
  try {
    return connection(url)
  } catch (error) {
    // Nothing is asked of a server yet: whatever is wrong is wrong with the address.
    throw new MongoUrlError(error instanceof Error ? error.message : String(error))
  }
}

function connection(url: string): Connection {
  const options = Object.entries(DEFAULTS).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url))
  // JSON has no undefined: a member that holds it is no member.
  const client = new MongoClient(url, { ...Object.fromEntries(options), ignoreUndefined: true })
  const name = /^[^:]+:\/\/[^/]*\/([^?]+)/.exec(url)?.[1]
  const database = name === undefined ? DEFAULT_DATABASE : decodeURIComponent(name)
  return {
    client,
    reading: client.db(database),
    writing: client.db(database, { readPreference: 'primary', writeConcern: { w: 'majority' } }),
  }
}
