/** What a transaction writes has to fit into the server's cache, whose size is not ours to choose. */
import { MongoClient } from 'mongodb'
import t from 'tap'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { declared, latest, state } from '../../../src/engine/declared/index.js'
import { withDeadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import { GenerationWriter } from '../../../src/engine/fold/generation-writer.js'
import { CommitTooLargeError } from '../../../src/ports/document-store.js'
import { put, save } from '../../ports/library-model.js'
import { startMongo } from '../../servers/mongo.js'
import { defined } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { decode } from '../../support/decode.js'
import { databaseOn } from './databases.js'

/** Some 4 MB, which is as large as a document may be; forty of them do not fit into the smallest cache at once. */
const title = '字'.repeat(1_400_000)
const ids = Array.from({ length: 40 }, (_, i) => `shelf-${i}`)

const shelf = state('category', { title: latest('') }, { name: 'shelves' })
const shelves = shelf.documents
const library = declared({ name: 'library', version: 1, keeps: [shelf], on: { 'category.defined': () => shelf({ title }) } })
const whole = withDeadLetters(library)

const server = await startMongo(t)

if (server !== null) {
  const client = await MongoClient.connect(server.url)
  t.teardown(() => client.close())
  const { version } = await client.db('admin').command({ buildInfo: 1 })
  const store = await openMongoStore(databaseOn(server.url), { firstAnswerMs: 60_000 })
  t.teardown(() => store.close())
  const open = async () => {
    const opened = await store.openGeneration(await store.createGeneration(whole.name, 1, whole.collections), whole.collections)
    t.teardown(() => opened.close())
    return opened
  }

  // Older servers have no such error: after some time they report a conflict.
  const told = Number.parseInt(version, 10) >= 6 ? {} : { skip: `mongod ${version} does not say that a transaction is too large` }

  await t.test('a transaction that does not fit is refused as too large, and changes nothing', told, async (t) => {
    const opened = await open()
    await t.rejects(save(opened, put(shelves, ...ids.map((_id) => ({ _id, seq: 1, removed: false as const, title })))), CommitTooLargeError)
    t.equal(await opened.count(shelves, { index: '_id', equals: [] }), 0)
    t.equal((await opened.checkpoint()).position, 0)
  })

  await t.test('and the fold makes smaller commits instead', told, async (t) => {
    const opened = await open()
    const events = new Script().write(...ids.map((id) => defined(id))).map((record) => ({ record, decoded: decode(record) }))
    const writer = await GenerationWriter.open(whole, opened, 1, true)
    while (writer.checkpoint.position < events.length) await writer.advance(events)
    const found = await opened.get(shelves, ids)
    t.equal(found.filter((one) => one?.removed === false && one.title === title).length, ids.length)
  })
}
