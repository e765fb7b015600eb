/** Reads that share the moment of the versions a process knows last. */
import { MongoClient } from 'mongodb'
import t, { type Test } from 'tap'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { ModelVersions } from '../../../src/operations/cache/model-versions.js'
import type { DocumentStore, GenerationStore, Snapshot } from '../../../src/ports/document-store.js'
import { book, books, collections, PROJECTION, put, save } from '../../ports/library-model.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { scaledTimeout } from '../../support/scaled-timeout.js'
import { databaseOn, dropDatabase } from './databases.js'

const READS = 2000

const server = await mongoUrl(t)

async function opened(t: Test, url: string): Promise<{ store: DocumentStore; library: GenerationStore }> {
  const store = await openMongoStore(url, { firstAnswerMs: scaledTimeout(10_000) })
  t.teardown(() => store.close())
  const library = await store.openGeneration(await store.createGeneration(PROJECTION, 3, collections), collections)
  t.teardown(() => library.close())
  await library.fence(1)
  await library.buildIndexes()
  await write(library, 0)
  await store.promote(library.generation)
  return { store, library }
}

/** Two documents that are always equal. */
const write = (library: GenerationStore, loans: number) => save(library, put(books, book('left', { loans }), book('right', { loans })))

async function loansIn(snapshot: Snapshot): Promise<(number | undefined)[]> {
  const model = snapshot.model(PROJECTION)
  // Two commands, one after the other.
  const found = [...(await model.get(books, ['left'])), ...(await model.get(books, ['right']))]
  return found.map((doc) => doc?.loans)
}

if (server !== null) {
  await t.test('another snapshot of the same moment costs no command, and outlives the first', async (t) => {
    const url = databaseOn(server)
    t.teardown(() => dropDatabase(url))
    const { store, library } = await opened(t, url)
    const first = await store.snapshot([PROJECTION])
    await write(library, 1)
    const client = new MongoClient(url)
    t.teardown(() => client.close())
    await client.db().command({ profile: 2 })
    const second = first.again?.()
    await client.db().command({ profile: 0 })
    t.equal(
      await client
        .db()
        .collection('system.profile')
        .countDocuments({ ns: /projections$/ }),
      0,
    )
    first.release()
    if (second === undefined) throw new Error('there is no other')
    t.strictSame(await loansIn(second), [0, 0])
    second.release()
    await t.rejects(loansIn(second), 'its session has ended')
  })

  await t.test('the moment of the versions is let go of with the first change', async (t) => {
    const url = databaseOn(server)
    t.teardown(() => dropDatabase(url))
    const { store, library } = await opened(t, url)
    // A second that never passes: only a change ends the moment.
    const versions = new ModelVersions(store, [PROJECTION], { now: () => 0 })
    t.teardown(() => versions.close())
    t.equal(versions.moment(), null, 'nothing is known')
    await versions.refresh()
    const shared = versions.moment()
    t.strictSame(shared && (await loansIn(shared)), [0, 0])
    versions.expire()
    t.equal(versions.moment(), null)
    await versions.refresh()
    t.not(versions.moment(), null)
    const changed = new Promise<void>((resolve) => store.onChange(resolve))
    await write(library, 1)
    await changed
    t.equal(versions.moment(), null)
    t.strictSame(shared && (await loansIn(shared)), [0, 0], 'who had it goes on')
    shared?.release()
  })

  await t.test('no answer is torn while a writer commits as fast as it can', async (t) => {
    const url = databaseOn(server)
    t.teardown(() => dropDatabase(url))
    const { store, library } = await opened(t, url)
    const versions = new ModelVersions(store, [PROJECTION])
    t.teardown(() => versions.close())
    let isReading = true
    const writing = (async () => {
      for (let loans = 1; isReading; loans += 1) await write(library, loans)
    })()
    const seen = new Set<number | undefined>()
    let shared = 0
    const read = async () => {
      await versions.refresh()
      const moment = versions.moment()
      if (moment !== null) shared += 1
      const snapshot = moment ?? (await store.snapshot([PROJECTION]))
      const [left, right] = await loansIn(snapshot).finally(() => snapshot.release())
      seen.add(left)
      return left === right
    }
    const whole: boolean[] = []
    while (whole.length < READS) whole.push(...(await Promise.all(Array.from({ length: 20 }, read))))
    isReading = false
    await writing
    t.equal(whole.filter((isWhole) => !isWhole).length, 0)
    t.ok(seen.size > 10, `${seen.size} states were seen`)
    t.ok(shared > READS / 10, `${shared} reads shared a moment`)
  })
}
