/** A stream that came back older, or is another, under a running service: nobody who was erased is seen again. */
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'nats'
import t, { type Test } from 'tap'
import { RequestStore } from '../../src/engine/requests/request-store.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { BEFORE, LOST, play } from '../docs/lost-log.js'
import { RunningCommand } from '../harness/command.js'
import { ErasedCaller } from '../harness/erased-caller.js'
import type { Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { liked, played, published, registered } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { Cluster } from './cluster.js'

/** A service that has seen everything; `beforeLoss` runs between. */
async function served(t: Test, beforeLoss: (cluster: Cluster) => Promise<void> = async () => {}): Promise<[Cluster, Serving] | null> {
  const cluster = await Cluster.start(t)
  if (cluster === null) return null
  await cluster.log.append(BEFORE)
  await beforeLoss(cluster)
  const serving = await cluster.serve(t, 'query,project,ask')
  await serving.ready()
  // Afterwards, so that the projector holds them in memory.
  await cluster.log.append(LOST)
  await cluster.caughtUp()
  return [cluster, serving]
}

/** As upstream goes on: under new ids, with higher sequences. */
const renamed = (record: NewRecord): NewRecord => {
  const event = JSON.parse(record.payload)
  const id = `later ${record.id}`
  return { ...record, id, payload: JSON.stringify({ ...event, id, sequence: event.sequence + 100 }) }
}

/** The files of a stopped server, as a backup of its disk has them. */
const files = ({ nats }: Cluster) => ({ now: join(nats.folder, 'jetstream'), backup: join(nats.folder, 'backup') })

await t.test('the page on operating, as written: the server came back with its files of before', async (t) => {
  const found = await served(t, async (cluster) => {
    await cluster.nats.process.kill('SIGTERM')
    const { now, backup } = files(cluster)
    await cp(now, backup, { recursive: true })
    await cluster.nats.process.start()
  })
  if (found === null) return
  const [cluster, serving] = found
  await play(t, {
    apiPort: serving.api,
    run: (...args) => cluster.run(...args),
    async goBack() {
      await cluster.nats.process.kill()
      const { now, backup } = files(cluster)
      await rm(now, { recursive: true })
      await cp(backup, now, { recursive: true })
      await cluster.nats.process.start()
      return serving.api
    },
    async caughtUp() {
      await cluster.caughtUp()
      await eventually(async () => (await cluster.documents.leads()).every(({ health }) => health?.state === 'live'))
    },
  })
  // The service follows the accepted log, over positions that the former one had, too.
  await cluster.log.append(new Script().write(...Array.from({ length: 60 }, () => played('maze'))).map(renamed))
  await cluster.caughtUp()
  t.match(await cluster.verify(), { code: 0 })
  t.equal(await serving.end('SIGTERM'), 0)
})

await t.test('another stream of the same name, longer than the former one; the leader is killed on the way', async (t) => {
  const found = await served(t)
  if (found === null) return
  const [cluster, first] = found
  t.match(await cluster.run('redact', 'creator/ada'), { code: 0 }, 'its replacements stay in a stream of their own')
  const caller = new ErasedCaller(t, first.api)
  const connection = await connect({ servers: cluster.nats.url })
  const { streams } = await connection.jetstreamManager()
  const { config } = await streams.info('APP_EVENTS')
  await streams.delete('APP_EVENTS')
  await streams.add(config)
  await connection.close()
  cluster.log.forget()
  const script = new Script()
  const other = script.write(
    ...[registered('cleo'), registered('ada', { handle: 'Ada-L', displayName: 'Ada L.' })],
    published('tides', { by: 'ada', slug: 'tide-clock', title: { en: 'Tide clock' } }),
    published('sundial', { by: 'cleo', slug: 'sundial' }),
    ...Array.from({ length: BEFORE.length + 60 }, (_, i) => liked('sundial', `u${i}`)),
  )
  await cluster.log.append(other.map((record) => ({ ...record, id: `other ${record.id}` })))

  const refused = await cluster.run('rebuild', 'all')
  t.equal(refused.code, 1)
  t.match(refused.stdout, /feed: rebuild failed, The log has another event at position \d+, where feed left off/)
  const { code, stdout, stderr } = await cluster.run('rebuild', 'all', '--accept-log')
  t.equal(code, 1)
  t.match(stderr, /^This log lacks 3 removals that the models know: creation\/draft, creation\/plants, creator\/ada$/m)
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.match(events, [
    // Their publications are lost, so the log does not say whose they were.
    { subject: 'creation/draft', type: 'creation.removed.v1', data: { creationId: 'draft' } },
    { subject: 'creation/plants' },
    { subject: 'creator/ada', type: 'creator.removed.v1', sequence: 6, data: { creatorId: 'ada' } },
  ])

  const command = cluster.run('rebuild', 'all', '--accept-log', '--publish-removals', '--max-rate', '30')
  const requests = new RequestStore(cluster.documents)
  await eventually(async () => (await requests.all('feed')).some(({ phase, position }) => phase === 'loading' && position > 0))
  await first.end('SIGKILL')
  const second = await cluster.serve(t, 'query,project,ask')
  await second.ready()
  caller.port = second.api
  t.match(await command, { code: 0, stdout: /^feed: rebuild done/m })
  await cluster.caughtUp()
  t.match(await cluster.verify(), { code: 0 })
  t.equal((await request(second.api, '/public/share/app/cleo/sundial')).statusCode, 200)
  await caller.stop()
  t.strictSame(caller.seen, [], `erased in ${caller.answers} answers`)
  t.equal(await second.end('SIGTERM'), 0)
})

await t.test('a log that cannot be reached: the command says so, and goes on once it can', async (t) => {
  const found = await served(t)
  if (found === null) return
  const [cluster, serving] = found
  await cluster.nats.process.kill()
  const command = new RunningCommand(['rebuild', 'feed', ...cluster.flags, '--data-dir', cluster.folder])
  await command.until('stderr', /The rebuild of feed waits for the log: .*NATS|does not answer/)
  t.match(await cluster.run('rebuild', 'all', '--accept-log'), { code: 2, stderr: /NATS cannot be reached/ })
  await cluster.nats.process.start()
  t.match(await command.ended, { code: 0, stdout: /^feed: rebuild done/m })
  t.equal(await serving.end('SIGTERM'), 0)
})
