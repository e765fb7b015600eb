/** The collections of a generation: a crash leaves none of them over. */
import { type Db, MongoClient } from 'mongodb'
import t from 'tap'
import { checkpointsIn, collectionPrefix, projectionsIn } from '../../../src/adapters/mongo/control-documents.js'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { dropCollections, MongoGenerations, markDropping } from '../../../src/adapters/mongo/generations.js'
import type { Generation } from '../../../src/ports/document-store.js'
import { collections, PROJECTION } from '../../ports/library-model.js'
import { eventually } from '../../ports/subject.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { databaseOn, dropDatabase } from './databases.js'
import { interrupted } from './interrupted.js'

class Dead extends Error {}

const server = await mongoUrl(t)

if (server !== null) {
  const url = databaseOn(server)
  const store = await openMongoStore(url)
  const client = new MongoClient(url)
  const db = client.db()
  t.teardown(async () => {
    await store.close()
    await client.close()
    await dropDatabase(url)
  })

  const leftovers = async () =>
    (await db.listCollections({ name: /^library_/ }, { nameOnly: true }).toArray()).map(({ name }) => name).sort()
  const recorded = async () => (await projectionsIn(db).findOne({ _id: PROJECTION }))?.generations ?? []
  const epoch = async () => (await projectionsIn(db).findOne({ _id: PROJECTION }))?.epoch ?? 0
  const checkpoints = () => checkpointsIn(db).countDocuments({ _id: /^library_/ })
  /** By the next leader, or the one after it, for what the server was still doing for the dead one. */
  const cleanAgain = () =>
    eventually(async () => {
      const lease = await store.acquireLease(PROJECTION, 'next', 60_000)
      if (lease === null) return false
      await store.releaseLease(lease)
      return (await leftovers()).length === 0 && (await recorded()).length === 0
    })

  await t.test('after a crash at any moment of creating a generation, the next leader finds no part of it', async (t) => {
    let finished: Generation | null = null
    for (let commands = 0; finished === null; commands++) {
      finished = await dying(commands, (db) => new MongoGenerations(db, async () => {}).createGeneration(PROJECTION, 1, collections))
      t.equal((await store.generations(PROJECTION)).length, finished === null ? 0 : 1, `after ${commands} commands`)
      if (finished === null) await cleanAgain()
    }
    t.strictSame(await leftovers(), collections.map(({ name }) => collectionPrefix(finished) + name).sort())
    await store.dropGeneration(finished)
  })

  await t.test(
    'after a crash at any moment of dropping a generation it is gone at once, and the next leader removes its parts',
    async (t) => {
      let finished: boolean | null = null
      for (let commands = 0; finished === null; commands++) {
        const generation = await store.createGeneration(PROJECTION, 1, collections)
        finished = await dying(commands, async (db) => {
          const begun = await markDropping(db, generation, undefined)
          await dropCollections(db, generation)
          return begun
        })
        if (commands === 0) await store.dropGeneration(generation)
        t.strictSame(await store.generations(PROJECTION), [], `after ${commands} commands`)
        await cleanAgain()
        t.equal(await checkpoints(), 0)
      }
    },
  )

  await t.test('a slow leader that was replaced gets an error, and leaves nothing either', async (t) => {
    const slow = interrupted(db, async (command) => {
      if (command === 'insertOne') t.ok(await store.acquireLease(PROJECTION, 'next', 60_000), 'another process leads by now')
    })
    await t.rejects(new MongoGenerations(slow, async () => {}).createGeneration(PROJECTION, 1, collections), { name: 'FencedError' })
    t.strictSame(await leftovers(), [])
    t.strictSame(await recorded(), [])
    t.equal(await checkpoints(), 0)
    await store.releaseLease({ projection: PROJECTION, holder: 'next', epoch: await epoch() })
  })

  await t.test('the next leader drops collections that belong to no generation', async (t) => {
    await db.createCollection('library_v1_g1_books')
    await db.createCollection('library_cards')
    t.ok(await store.acquireLease(PROJECTION, 'another', 60_000))
    t.strictSame(await leftovers(), ['library_cards'], 'collections of other applications stay')
  })

  /** Does it for as long as so many commands take; null when those were too few. */
  async function dying<T>(commands: number, work: (db: Db) => Promise<T>): Promise<T | null> {
    let left = commands
    const mortal = interrupted(db, async () => {
      if (left === 0) throw new Dead()
      left -= 1
    })
    try {
      return await work(mortal)
    } catch (error) {
      if (error instanceof Dead) return null
      throw error
    }
  }
}
