/** What the projections of a process look for at the same time is asked for once. */
import { MongoClient } from 'mongodb'
import t from 'tap'
import { CoalescedReads } from '../../../src/adapters/mongo/coalesced-reads.js'
import { MongoDocumentStore } from '../../../src/adapters/mongo/document-store.js'
import { mongoUrl } from '../../servers/mongo.js'
import { databaseOn, dropDatabase } from './databases.js'

t.test('reads of one tick are one read, and a later one is a new one', async (t) => {
  const asked: string[] = []
  let answer = 0
  const joined = new CoalescedReads(async (what) => {
    asked.push(what)
    return ++answer
  })
  t.strictSame(await Promise.all([joined.get('a'), joined.get('b'), joined.get('a')]), [1, 2, 1])
  t.equal(await joined.get('a'), 3)
  t.strictSame(asked, ['a', 'b', 'a'])
})

t.test('a call while an answer is on its way reads again: that answer may be too old', async (t) => {
  const answers: ((value: string) => void)[] = []
  let asked = () => {}
  const joined = new CoalescedReads<string>(
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
  const old = joined.get('a')
  await first
  const second = isAsked()
  const young = joined.get('a')
  await second
  answers[1]?.('young')
  answers[0]?.('old')
  t.strictSame(await Promise.all([old, young]), ['old', 'young'])
})

t.test('all callers of a failed read get its error, and later callers do not', async (t) => {
  let failing = true
  const joined = new CoalescedReads(async () => {
    if (failing) throw new Error('away')
    return 'here'
  })
  const both = await Promise.allSettled([joined.get('a'), joined.get('a')])
  t.strictSame(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  failing = false
  t.equal(await joined.get('a'), 'here')
})

const server = await mongoUrl(t)

if (server !== null) {
  const url = databaseOn(server)
  t.teardown(() => dropDatabase(url))

  await t.test('each caller gets its part of a shared answer', async (t) => {
    const store = await MongoDocumentStore.open(url)
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
    const store = await MongoDocumentStore.open(url)
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
}
