/** `vitrine doctor` on servers: each check, and what it says when the thing it looks at is broken. */
import { connect, nanos } from 'nats'
import t, { type Test } from 'tap'
import { checkVersion as aboutMongoVersion, checkClock } from '../../src/adapters/mongo/diagnostics.js'
import { checkVersion as aboutNatsVersion } from '../../src/adapters/nats/diagnostics.js'
import { folderWith } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { eventually } from '../ports/subject.js'
import { EventStoreStandIn } from '../servers/eventstore-stand-in.js'
import { startMongods } from '../servers/mongo.js'
import { startNatsCluster } from '../servers/nats.js'
import { startRedis } from '../servers/redis.js'
import { played } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { Cluster } from './cluster.js'

interface Finding {
  check: string
  healthy: boolean
  finding: string
  remedy?: string
}

async function examined(...flags: string[]): Promise<Map<string, Finding>> {
  const { stdout } = await vitrine(['doctor', '--json', ...flags])
  const { findings }: { findings: Finding[] } = JSON.parse(stdout)
  return new Map(findings.map((finding) => [finding.check, finding]))
}

const broken = (findings: Map<string, Finding>) => [...findings.values()].filter(({ healthy }) => !healthy)

await t.test('NATS and MongoDB: all is well, then one thing after the other is not', async (t) => {
  const cluster = await Cluster.start(t)
  const redis = await startRedis(t)
  if (cluster === null || redis === null) return
  const script = new Script()
  await cluster.log.append(script.write(...COMMUNITY))
  const projector = await cluster.serve(t, 'project')
  await cluster.caughtUp()
  const look = (...more: string[]) => examined(...cluster.flags, '--data-dir', cluster.folder, '--redis-url', redis.url, ...more)

  const well = await look()
  t.strictSame(broken(well), [])
  for (const check of ['NATS', 'stream APP_EVENTS', 'replicas of APP_EVENTS', 'MongoDB', 'replica set', 'clock of MongoDB'])
    t.ok(well.has(check), check)
  t.match(well.get('event store'), { finding: 'answers, in NATS' })
  t.match(well.get('Redis'), { finding: /^\d+\./ })

  t.equal(await projector.end('SIGTERM'), 0)
  await cluster.log.append(script.write(played('maze')))
  await eventually(async () => (await look()).get('model feed')?.healthy === false)
  await says(t, look(), 'model feed', /^leaderless: .* 1 behind; it is led by no process/, /ROLES=project/)

  await says(t, look('--nats-stream', 'ELSEWHERE', '--nats-create', 'off'), 'stream ELSEWHERE', /not there/, /NATS_CREATE=on/)
  const connection = await connect({ servers: cluster.nats.url })
  const { streams } = await connection.jetstreamManager()
  await streams.update('APP_EVENTS', { max_msgs_per_subject: 1000 })
  await says(t, look(), 'stream APP_EVENTS', /its max_msgs_per_subject is 1000 and must be -1/, /nats stream edit APP_EVENTS/)
  await streams.update('APP_EVENTS', { max_msgs_per_subject: -1 })
  await connection.close()

  await redis.process.kill()
  await says(t, look(), 'Redis', /every process counts for itself/, /REDIS_URL/)
  await cluster.nats.process.kill()
  const without = await look()
  says(t, without, 'NATS', /cannot be reached/, /NATS_URL/)
  says(t, without, 'event store', /503/, /EVENTSTORE_URL/)
  await cluster.mongo.members[0]?.process.kill()
  await says(t, look(), 'MongoDB', /cannot be reached/, /MONGODB_URL/)
})

await t.test('a mongod that is no replica set', async (t) => {
  const servers = await startMongods(t)
  const [member] = servers?.members ?? []
  if (member === undefined) return
  await says(t, examined('--mongodb-url', member.url, '--data-dir', folderWith()), 'replica set', /none/, /rs\.initiate\(\)/)
})

await t.test('a stream in a cluster that would not survive, and a replica that is gone', async (t) => {
  const servers = await startNatsCluster(t)
  if (servers === null) return
  const url = servers.map((server) => server.url).join(',')
  const look = (stream: string) =>
    examined('--nats-url', url, '--nats-stream', stream, '--eventstore-url', 'nats', '--data-dir', folderWith())
  const connection = await connect({ servers: url.split(',') })
  const { streams } = await connection.jetstreamManager()
  // A request sent while the nodes elect a leader is never answered, so ask again.
  const answered = <T>(question: () => Promise<T | null | undefined | false>) => eventually<T>(() => question().catch(() => null))
  await answered(() => streams.add({ name: 'APP_EVENTS', subjects: ['app.events.>'], num_replicas: 1 }))
  await says(t, look('APP_EVENTS'), 'replicas of APP_EVENTS', /1 in a cluster/, /--replicas 3/)
  await answered(() => streams.update('APP_EVENTS', { num_replicas: 3 }))
  const beside = { num_replicas: 1, max_age: nanos(3_600_000) }
  for (const stream of [
    { name: 'APP_EVENTS_REDACTED', subjects: ['vitrine.redacted.APP_EVENTS.*'], ...beside },
    { name: 'VITRINE_askjob', subjects: ['VITRINE.askjob.*'], ...beside, max_msgs: 10 },
  ]) {
    // Doctor's check of the event store may have made it.
    await answered(async () => {
      await streams.delete(stream.name).catch(() => {})
      return streams.add(stream)
    })
  }
  const others = await look('APP_EVENTS')
  says(t, others, 'stream APP_EVENTS_REDACTED', /its max_age is \d+ and must be 0/, /nats stream edit APP_EVENTS_REDACTED/)
  says(t, others, 'stream VITRINE_askjob', /^its max_msgs is 10 and must be -1$/, /nats stream edit VITRINE_askjob/)
  for (const name of ['APP_EVENTS_REDACTED', 'VITRINE_askjob']) {
    says(t, others, `replicas of ${name}`, /1 in a cluster, and should be 3/, /--replicas 3/)
    t.equal((await answered(() => streams.info(name))).config.num_replicas, 1, 'doctor changes nothing')
  }
  const follower = await answered(async () => {
    const { cluster } = await streams.info('APP_EVENTS')
    return cluster?.replicas?.length === 2 && cluster.replicas.every(({ current }) => current) && cluster.replicas[0]?.name
  })
  await servers[Number(follower.slice(1)) - 1]?.process.kill()
  await connection.close()
  // The others notice in their own time, and may change their mind once or twice.
  const missed = await eventually(async () => {
    const found = await look('APP_EVENTS')
    return found.get('replicas of APP_EVENTS')?.healthy === false && found
  })
  await says(t, missed, 'replicas of APP_EVENTS', new RegExp(`${follower} cannot follow`), /bring these servers back/)
})

await t.test('an EventStoreDB that is gone', async (t) => {
  const standIn = await EventStoreStandIn.start()
  const look = () => examined('--eventstore-url', standIn.url, '--data-dir', folderWith())
  t.match((await look()).get('event store'), { healthy: true, finding: 'answers' }, 'as long as it is there (a stand-in)')
  await standIn.stop()
  await says(t, look(), 'event store', /cannot be reached.*503/, /EVENTSTORE_URL/)
})

t.test('versions and clocks', async (t) => {
  for (const [version, healthy] of [
    ['2.9.25', false],
    ['2.10.0', true],
    ['2.15.1', true],
    ['3.0.0', true],
    ['unknown', false],
  ] as const)
    t.equal(aboutNatsVersion(version, 'here').healthy, healthy, `NATS ${version}`)
  for (const [version, healthy] of [
    ['4.4.1', false],
    ['5.0.0', true],
    ['10.0.0', true],
  ] as const)
    t.equal(aboutMongoVersion(version).healthy, healthy, `MongoDB ${version}`)
  const now = 1_800_000_000_000
  t.ok(checkClock(new Date(now + 10), now, now + 20).healthy)
  t.ok(checkClock(new Date(now + 4000), now, now + 20).healthy, 'a little is nothing')
  t.match(checkClock(new Date(now + 60_000), now, now + 20), { healthy: false, finding: /^60 s away/, remedy: /NTP/ })
  t.match(checkClock(new Date(now - 60_000), now, now + 20), { healthy: false, finding: /^60 s away/ })
})

async function says(t: Test, looked: Map<string, Finding> | Promise<Map<string, Finding>>, check: string, finding: RegExp, remedy: RegExp) {
  t.match((await looked).get(check), { healthy: false, finding, remedy }, check)
}
