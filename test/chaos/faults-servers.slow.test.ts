/** The faults of the table in docs/operating.md that NATS and MongoDB can have. */
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import t from 'tap'
import { vitrine } from '../harness/command.js'
import { FOREIGN } from './fault-trials.js'
import { trialsOnServers } from './faulty-cluster.js'

/** A command that cannot go on says so by then. */
const COMMAND_MS = 5000

await t.test('every fault of a server shows on every surface, and passes', async (t) => {
  const installation = await trialsOnServers(t)
  if (installation === null) return
  const { trials, append, cluster } = installation
  const { nats, mongo } = cluster
  await trials.start(10)
  const flags = [...cluster.flags, '--data-dir', cluster.folder]
  const timed = async () => {
    const begun = Date.now()
    const { code } = await vitrine(['status', ...flags])
    return { code, ms: Date.now() - begun }
  }
  const well = await timed()

  await trials.try('log dead', async () => {
    await nats.process.kill()
    const { code, ms } = await timed()
    t.equal(code, 0)
    t.ok(ms < COMMAND_MS + 3 * well.ms, `status without NATS took ${ms} ms, and ${well.ms} ms with it`)
    return () => nats.process.start()
  })

  await trials.try('store dead', async () => {
    const [mongod] = mongo.members
    await mongod?.process.kill()
    return async () => mongod?.process.start()
  })

  await trials.tryRefusedCommits(async () => {
    const client = new MongoClient(mongo.url)
    const database = client.db(/\/(vitrine-test-[^?]+)/.exec(flags.join(' '))?.[1])
    const [items] = (await database.listCollections().toArray()).filter(({ name }) => /^feed_.*_items$/.test(name))
    const require = (validator: object) => database.command({ collMod: items?.name, validator })
    await require({ _id: 'no document' })
    return async () => {
      await require({})
      await client.close()
    }
  })

  await trials.try('foreign log', async () => {
    await nats.process.kill()
    await nats.process.start(['-sd', join(nats.folder, 'foreign')])
    await append(FOREIGN)
    return async () => {
      await nats.process.kill()
      await nats.process.start()
    }
  })
  t.strictSame(await trials.end(), ['log dead', 'store dead', 'commits refused', 'foreign log'])
})
