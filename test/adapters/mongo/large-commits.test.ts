/** Commits are of any size, a message to the server is not. */
import t from 'tap'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { book, books, collections, PROJECTION, put, remove, save } from '../../ports/library-model.js'
import { startMongo } from '../../servers/mongo.js'
import { databaseOn } from './databases.js'

/** MongoDB's own limit, in bytes. */
const MESSAGE = 48_000_000

/** In gigabytes: with a cache that is full of changes, the server refuses a transaction of this size. */
const CACHE = 4
const server = await startMongo(t, 1, { cacheGb: CACHE })

if (server !== null) {
  const url = databaseOn(server.url)
  const store = await openMongoStore(url)
  t.teardown(() => store.close())
  const opened = await store.openGeneration(await store.createGeneration(PROJECTION, 1, collections), collections)
  t.teardown(() => opened.close())
  const count = () => opened.count(books, { index: '_id', equals: [] })

  await t.test('thousands of documents come, change and go in one commit', async (t) => {
    const ids = Array.from({ length: 3500 }, (_, i) => `b${String(i).padStart(4, '0')}`)
    await save(opened, put(books, ...ids.map((id) => book(id))))
    t.equal(await count(), 3500)
    const [gone, changed] = [ids.slice(0, 1500), ids.slice(1500)]
    await save(opened, [...remove(books, ...gone), ...put(books, ...changed.map((id) => book(id, { price: 20 })), book('new'))])
    t.equal(await count(), 2001)
    const found = await opened.get(books, [...changed, 'new'])
    t.equal(found.filter((one) => one?.price === 20).length, 2000)
    t.match(found.at(-1), { price: 10 })
  })

  await t.test('documents that are together larger than a message come in one commit', async (t) => {
    const title = '字'.repeat(1_400_000)
    const large = Array.from({ length: 13 }, (_, i) => book(`large-${i}`, { title }))
    t.ok(Buffer.byteLength(title) * large.length > MESSAGE)
    await save(opened, put(books, ...large))
    const found = await opened.get(
      books,
      large.map(({ _id }) => _id),
    )
    t.equal(found.filter((one) => one?.title === title).length, large.length)
  })
}
