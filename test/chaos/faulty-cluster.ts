import type { Test } from 'tap'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { Cluster } from '../cluster/cluster.js'
import { Serving } from '../harness/program.js'
import { PATIENT } from '../servers/nats.js'
import { type Records, Trials } from './fault-trials.js'

/** Trials on real servers; null if they are not available. */
export async function trialsOnServers(
  t: Test,
): Promise<{ trials: Trials; cluster: Cluster; append(records: Records): Promise<void> } | null> {
  const cluster = await Cluster.start(t)
  if (cluster === null) return null
  const { nats, folder } = cluster
  // A connection each: the servers come and go.
  const append = async (records: Records) => {
    const log = new JetStreamEventLog({ ...PATIENT, servers: nats.url, stream: 'APP_EVENTS' })
    await log.append(records)
    await log.close()
  }
  const trials = new Trials(t, {
    flags: [...cluster.flags, '--data-dir', folder],
    folder,
    append,
    serve: (roles, env) => Serving.start(t, folder, [...cluster.flags, '--roles', roles, '--rate-limit-agent', 'off'], env),
  })
  return { trials, cluster, append }
}
