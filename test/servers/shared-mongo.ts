/** One mongod for all test files of a process. Apart from `mongo.ts`, which benchmarks use without tap. */
import root from 'tap'
import type { Host } from './binary.js'
import { type MongoServers, startMongo } from './mongo.js'

/** The URL of a replica set that may hold other databases; null if none is available. `TEST_MONGODB_URL` names one that runs already. */
export async function mongoUrl(t: Host): Promise<string | null> {
  if (process.env.TEST_MONGODB_URL !== undefined) return process.env.TEST_MONGODB_URL
  // One for all files of a process, until its end.
  shared ??= startMongo({ pass: (...args) => t.pass(...args), teardown: (work) => root.teardown(work) })
  return (await shared)?.url ?? null
}

let shared: Promise<MongoServers | null> | undefined
