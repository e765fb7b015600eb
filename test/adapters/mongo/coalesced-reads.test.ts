/** What the projections of a process look for at the same time is asked for once. */
import { type Db, type Document, MongoClient } from 'mongodb'
import t from 'tap'
import { ChangeStreamListener } from '../../../src/adapters/mongo/change-stream.js'
import type { ControlRecordDoc } from '../../../src/adapters/mongo/control-documents.js'
import { MongoCoordination } from '../../../src/adapters/mongo/coordination.js'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { book, books, collections, PROJECTION, put, reading, save } from '../../ports/library-model.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { databaseOn, dropDatabase } from './databases.js'

/** Control records in a collection that answers by this function. */
function recordsFrom(find: (kinds: readonly string[]) => Promise<ControlRecordDoc[]>): MongoCoordination {
  // Nothing else of the database is used.
  const db = { collection: () => ({ find: (filter: Document) => ({ toArray: () => find(filter['_id.kind'].$in) }) }) } as unknown as Db
  const changes = new ChangeStreamListener(new MongoClient('mongodb://127.0.0.1:9').db().collection('notes'))
  return new MongoCoordination(db, changes, { acquired: async () => {}, announceChange: async () => {} })
}

const record = (kind: string, revision: number): ControlRecordDoc => ({ _id: { kind, id: 'one' }, revision, value: null })

t.test('reads of one tick are one read, and a later one is a new one', async (t) => {
  const asked: (readonly string[])[] = []
  const records = recordsFrom(async (kinds) => {
    asked.push(kinds)
    return kinds.map((kind) => record(kind, asked.length))
  })
  const found = await Promise.all(['a', 'b', 'a'].map((kind) => records.controlRecords(kind)))
  t.strictSame(
    found.map(([first]) => [first?.kind, first?.revision]),
    [
      ['a', 1],
      ['b', 1],
      ['a', 1],
    ],
  )
  t.equal((await records.controlRecords('a'))[0]?.revision, 2)
  t.strictSame(asked, [['a', 'b'], ['a']])
})

t.test('a call while an answer is on its way reads again: that answer may be too old', async (t) => {
  const answers: ((docs: ControlRecordDoc[]) => void)[] = []
  let asked = () => {}
  const records = recordsFrom(
    () =>
      new Promise((resolve) => {
        answers.push(resolve)
        asked()
      }),
  )
  const isAsked = () =>
    new Promise<void>((resolve) => {
      asked = resolve
    })
  const first = isAsked()
  const old = records.controlRecords('a')
  await first
  const second = isAsked()
  const young = records.controlRecords('a')
  await second
  answers[1]?.([record('a', 2)])
  answers[0]?.([record('a', 1)])
  t.strictSame(
    (await Promise.all([old, young])).map(([found]) => found?.revision),
    [1, 2],
  )
})

t.test('all callers of a failed read get its error, and later callers do not', async (t) => {
  let failing = true
  const records = recordsFrom(async () => {
    if (failing) throw new Error('away')
    return [record('a', 1)]
  })
  const both = await Promise.allSettled([records.controlRecords('a'), records.controlRecords('a')])
  t.strictSame(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  failing = false
  t.equal((await records.controlRecords('a')).length, 1)
})

const server = await mongoUrl(t)

if (server !== null) {
  const url = databaseOn(server)
  t.teardown(() => dropDatabase(url))

  await t.test('each caller gets its part of a shared answer', async (t) => {
    const store = await openMongoStore(url)
    t.teardown(() => store.close())
    for (const projection of ['a', 'b']) await store.createGeneration(projection, 3, [])
    await store.putControlRecord({ kind: 'k', id: 'one', revision: 0, value: 1 })
    const [a, b, none, records, again] = await Promise.all([
      store.generations('a'),
      store.generations('b'),
      store.generations('c'),
      store.controlRecords('k'),
      store.controlRecords('k'),
    ])
    t.strictSame(
      [a, b, none].map((generations) => generations.map(({ projection }) => projection)),
      [['a'], ['b'], []],
    )
    records.pop()
    t.equal(again.length, 1, 'callers do not share the list')
  })

  await t.test('five projections that read control records and generations send two commands', async (t) => {
    const client = new MongoClient(url)
    t.teardown(() => client.close())
    const db = client.db()
    await db.command({ profile: 2 })
    const store = await openMongoStore(url)
    t.teardown(() => store.close())
    await Promise.all(Array.from({ length: 5 }, (_, i) => Promise.all([store.generations(String(i)), store.controlRecords('k')])))
    await db.command({ profile: 0 })
    const names = [`${db.databaseName}.notes`, `${db.databaseName}.projections`]
    const asked = await db
      .collection('system.profile')
      .find({ op: 'query', ns: { $in: names } })
      .toArray()
    t.strictSame(asked.map(({ ns }) => ns).sort(), names)
  })

  await t.test('the lists of ids that a search looks up are one command for each index, which the index answers', async (t) => {
    const client = new MongoClient(url)
    t.teardown(() => client.close())
    const db = client.db()
    const store = await openMongoStore(url)
    t.teardown(() => store.close())
    const library = await store.openGeneration(await store.createGeneration(PROJECTION, 3, collections), collections)
    t.teardown(() => library.close())
    await library.fence(1)
    await library.buildIndexes()
    await save(library, put(books, book('dune', { tags: ['space', 'sand'] }), book('atlas', { tags: ['space', 'sea'] })))
    await store.promote(library.generation)
    await db.command({ profile: 2 })
    const tags = ['space', 'sand', 'sea', 'none']
    const lists = await reading(store, (reads) =>
      Promise.all(tags.map((tag) => reads.ids(books, { index: 'tagLoans', equals: [tag], limit: 10 }))),
    )
    await db.command({ profile: 0 })
    t.strictSame(lists, [['dune', 'atlas'], ['dune'], ['atlas'], []])
    const asked = await db
      .collection('system.profile')
      .find({ ns: /books$/ })
      .toArray()
    t.strictSame(
      asked.map(({ docsExamined }) => docsExamined),
      [0],
    )
  })
}
