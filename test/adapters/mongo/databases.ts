/** Databases of their own on a real mongod, and document stores in them. */
import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import type { DocumentStore } from '../../../src/ports/document-store.js'
import type { Subject } from '../../ports/subject.js'
import { patience } from '../../support/patience.js'

/** These suites ask what readers see, not how soon. */
const PATIENCE_MS = 10_000

/** MongoDB, for suites that run on whichever store. */
export function mongoSubject(server: string): Subject<DocumentStore> {
  return {
    name: 'MongoDB',
    async open() {
      const url = databaseOn(server)
      const another = () => openMongoStore(url, { firstAnswerMs: patience(PATIENCE_MS) })
      return { store: await another(), another, remove: () => dropDatabase(url) }
    },
  }
}

/** The address of a database that was never used before. */
export function databaseOn(url: string): string {
  const [hosts, options] = url.replace('mongodb://', '').split(/\/[^?]*\??/)
  return `mongodb://${hosts}/vitrine-test-${randomUUID().slice(0, 8)}${options ? `?${options}` : ''}`
}

export async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url)
  await client.db().dropDatabase()
  await client.close()
}
