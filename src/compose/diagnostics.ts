import { DEAD_LETTER_COLLECTIONS } from '../engine/definition/dead-letter-collections.js'
import { type Finding, failed, passed } from '../ports/diagnostics.js'
import type { Config } from './config.js'
import { projections } from './models.js'
import { natsOptions, openEventStore } from './stores.js'

/** Checks every configured server. */
export async function diagnoseServers(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  const nats = natsOptions(config)
  if (nats !== null) {
    const { diagnoseNats } = await import('../adapters/nats/diagnostics.js')
    findings.push(...(await diagnoseNats({ ...nats, stream: config.NATS_STREAM, create: config.NATS_CREATE })))
  }
  if (config.MONGODB_URL !== undefined) {
    const { diagnoseMongo } = await import('../adapters/mongo/diagnostics.js')
    findings.push(...(await diagnoseMongo(config.MONGODB_URL, collectionsOf)))
  }
  if (config.EVENTSTORE_URL !== undefined) findings.push(await checkEventStore(config))
  if (config.REDIS_URL !== undefined) {
    const { diagnoseRedis } = await import('../adapters/redis-rate-windows.js')
    findings.push(await diagnoseRedis(config.REDIS_URL))
  }
  return findings
}

const collectionsOf = (name: string) => {
  const projection = projections.find((candidate) => candidate.name === name)
  return projection === undefined ? [] : [...projection.collections, ...DEAD_LETTER_COLLECTIONS]
}

async function checkEventStore(config: Config): Promise<Finding> {
  const check = 'event store'
  const store = await openEventStore(config)
  try {
    // Any stream will do, even one that does not exist.
    await store.read('askjob-doctor')
    return passed(check, config.EVENTSTORE_URL === 'nats' ? 'answers, in NATS' : 'answers')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failed(check, `${reason}: ask jobs are answered with 503`, 'start it, or correct EVENTSTORE_URL and what lets us in')
  } finally {
    await store.close()
  }
}
