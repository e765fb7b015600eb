/** Documents that several projections ask for at the same time are found with one command. */
import { MongoClient } from 'mongodb'
import t from 'tap'
import { DocumentLoader } from '../../../src/adapters/mongo/models/document-loader.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { databaseOn, dropDatabase } from './databases.js'

const server = await mongoUrl(t)

if (server !== null) {
  const url = databaseOn(server)
  const client = new MongoClient(url, { monitorCommands: true })
  const db = client.db()
  const commands: string[] = []
  client.on('commandStarted', ({ commandName }) => commands.push(commandName))
  t.teardown(async () => {
    await client.close()
    await dropDatabase(url)
  })
  for (const name of ['books', 'loans']) await db.collection<{ _id: string; of: string }>(name).insertMany([doc('a', name), doc('b', name)])
  t.beforeEach(() => {
    commands.length = 0
  })

  await t.test('reads of one tick are one command, each with its own answer', async (t) => {
    const loads = new DocumentLoader(db)
    const found = await Promise.all([loads.find('books', ['a', 'c']), loads.find('loans', ['b', 'a']), loads.find('nothing', ['a'])])
    const sorted = found.map((docs) => docs.sort((x, y) => (x._id < y._id ? -1 : 1)))
    t.strictSame(sorted, [[doc('a', 'books')], [doc('a', 'loans'), doc('b', 'loans')], []])
    t.strictSame(commands, ['aggregate'])
  })

  await t.test('one alone is found as ever', async (t) => {
    t.strictSame(await new DocumentLoader(db).find('books', ['b']), [doc('b', 'books')])
    t.strictSame(commands, ['find'])
  })

  await t.test('a read that the server refuses does not fail the others', async (t) => {
    // No number can be made of this.
    await db.createCollection('broken', { viewOn: 'books', pipeline: [{ $set: { number: { $toInt: '$of' } } }] })
    const loads = new DocumentLoader(db)
    const refused = loads.find('broken', ['a'])
    const found = loads.find('books', ['a'])
    await t.rejects(refused)
    t.strictSame(await found, [doc('a', 'books')])
  })
}

function doc(_id: string, of: string) {
  return { _id, of }
}
