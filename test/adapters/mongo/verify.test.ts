/** `verify` finds what was changed in MongoDB by anything but the projector. */
import { MongoClient } from 'mongodb'
import { pino } from 'pino'
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { items, likes } from '../../../readmodels/feed/documents.js'
import { collectionPrefix } from '../../../src/adapters/mongo/control-documents.js'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { Projector } from '../../../src/engine/leader/projector.js'
import { verify } from '../../../src/engine/replay/verify.js'
import { caughtUp } from '../../harness/caught-up.js'
import { COMMUNITY } from '../../harness/community.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { Script } from '../../spec/script.js'
import { projections } from '../../support/built-in-models.js'
import { MemoryEventLog } from '../../support/memory-log.js'
import { memoryStore } from '../../support/memory-store.js'
import { databaseOn, dropDatabase } from './databases.js'

const server = await mongoUrl(t)

if (server !== null) {
  const url = databaseOn(server)
  const store = await openMongoStore(url)
  const client = new MongoClient(url)
  // Timers of the projector keep no process alive.
  const alive = setInterval(() => {}, 60_000)
  t.teardown(async () => {
    clearInterval(alive)
    await store.close()
    await client.close()
    await dropDatabase(url)
  })
  const log = new MemoryEventLog(new Script().write(...COMMUNITY))
  const projector = new Projector(projections, log, store, pino({ level: 'silent' }))
  projector.start()
  await caughtUp(store, COMMUNITY.length)
  await projector.stop()
  const found = async (projection = feedProjection) => {
    const { discrepancies } = await verify({ projection, log, store, scratch: memoryStore(), sample: 1 })
    return discrepancies.map(({ collection, id, kind, fields }) => [`${collection.name}/${id}`, kind, ...fields.map(({ path }) => path)])
  }

  await t.test('untouched models match the log', async (t) => {
    for (const projection of projections) t.strictSame(await found(projection), [], projection.name)
  })

  await t.test('a changed document is found field by field, and so is one that is gone', async (t) => {
    const [live] = await store.generations('feed')
    if (live === undefined) throw new Error('the feed is not live')
    const collection = (name: string) => client.db().collection<{ _id: string }>(collectionPrefix(live) + name)
    t.equal((await collection(items.name).updateOne({ _id: 'maze' }, { $set: { likes: 77 } })).modifiedCount, 1)
    t.equal((await collection(likes.name).deleteOne({ _id: 'maze~ada' })).deletedCount, 1)
    t.strictSame((await found()).sort(), [
      ['items/maze', 'different', 'likes'],
      ['likes/maze~ada', 'missing'],
    ])
  })
}
