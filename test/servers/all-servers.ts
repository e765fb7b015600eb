/** Every server that the program can use, for tests of what is delivered. */
import type { Test } from 'tap'
import { databaseOn } from '../adapters/mongo/databases.js'
import { EventStoreStandIn } from './eventstore-stand-in.js'
import { startMongo } from './mongo.js'
import { startNats } from './nats.js'
import { redisUrl } from './redis.js'

/** The variables that name servers of this test alone; null if one is not available. */
export async function startAllServers(t: Test): Promise<Record<string, string> | null> {
  const [nats, mongo, redis] = [await startNats(t), await startMongo(t), await redisUrl(t)]
  if (nats === null || mongo === null || redis === null) return null
  // No package carries KurrentDB.
  const kurrent = await EventStoreStandIn.start()
  t.teardown(() => kurrent.stop())
  return { NATS_URL: nats.url, MONGODB_URL: databaseOn(mongo.url), EVENTSTORE_URL: kurrent.url, REDIS_URL: redis }
}
