/** Databases of their own on a real mongod. */
import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'

/** The address of a database that nobody has used before. */
export function databaseOn(url: string): string {
  const [hosts, options] = url.replace('mongodb://', '').split(/\/[^?]*\??/)
  return `mongodb://${hosts}/vitrine-test-${randomUUID().slice(0, 8)}${options ? `?${options}` : ''}`
}

export async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url)
  await client.db().dropDatabase()
  await client.close()
}
