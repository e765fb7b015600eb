/** The same on NATS and MongoDB: the bytes of JetStream's and MongoDB's files, the memory of every process. */
import { MongoClient } from 'mongodb'
import t from 'tap'
import { holdsBytes } from '../../adapters/folder.js'
import { Cluster } from '../../cluster/cluster.js'
import { Serving } from '../../harness/program.js'
import { eventually } from '../../ports/subject.js'
import { resync } from '../../servers/mongo.js'
import { erased } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { heapSnapshots, ID, LIFE, showEverywhere, showOthers, untilGoneFrom, WORDS } from './person.js'

await t.test('no byte of an erased person is left in JetStream, in MongoDB or in the memory of the service', async (t) => {
  const cluster = await Cluster.start(t, 3, { uncompressed: true })
  if (cluster === null) return
  const script = new Script()
  await cluster.log.append(script.write(...LIFE))
  const memory = await heapSnapshots()
  const start = (roles: string) =>
    Serving.start(t, cluster.folder, [...cluster.flags, '--roles', roles, '--rate-limit-agent', 'off'], memory.env)
  const [projector, query, worker] = await Promise.all([start('project'), start('query'), start('ask')])
  await query.ready()
  t.match(await cluster.run('rebuild', 'all'), { code: 0 })
  const { jobId } = await showEverywhere(t, query)
  t.ok(await holdsBytes(cluster.nats.folder, 'Quincewood'))
  t.ok((await wordsInMongo(cluster.mongo.url)).includes('Quincewood'))
  for (const { folder } of cluster.mongo.members) t.ok(await eventually(() => holdsBytes(folder, 'Quincewood')))

  await cluster.log.append(script.write(erased(ID)))
  await cluster.caughtUp()
  t.ok(await eventually(async () => (await fetch(`http://127.0.0.1:${query.web}/ask/jobs/${jobId}`)).status === 404), 'its job goes, too')
  const redact = () => cluster.run('redact', `creator/${ID}`)
  for (let done = await redact(); done.code !== 0; done = await redact()) t.match(done.stderr, /has not come to the removal/)
  await untilGoneFrom(cluster.nats.folder)
  await eventually(async () => (await wordsInMongo(cluster.mongo.url)).length === 0)
  t.pass('no stream and no document has a word of hers')
  // The server's own: freed space, the journal, the oplog.
  for (const member of cluster.mongo.members) await resync(member)
  for (const { folder } of cluster.mongo.members)
    for (const word of WORDS) t.notOk(await holdsBytes(folder, word), `${word} in the files of a member`)
  t.match(await cluster.verify(), { code: 0 }, 'and nothing else is lost')
  await showOthers(query)
  for (const [role, { pid }] of Object.entries({ query, worker, projector })) {
    t.strictSame(await memory.wordsIn(pid ?? 0), [], `the memory of the process that runs ${role}`)
  }
})

/** In all documents. */
async function wordsInMongo(url: string): Promise<string[]> {
  const client = await MongoClient.connect(url)
  try {
    const texts: string[] = []
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true })
    for (const { name } of databases.filter(({ name }) => !['local', 'config', 'admin'].includes(name))) {
      for (const collection of await client.db(name).collections()) texts.push(JSON.stringify(await collection.find().toArray()))
    }
    return WORDS.filter((word) => texts.some((text) => text.includes(word)))
  } finally {
    await client.close()
  }
}
