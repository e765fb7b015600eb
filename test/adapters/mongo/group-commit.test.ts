/** The small commits of several projections go to the server as one transaction, and none of them suffers from another. */
import { once } from 'node:events'
import { type Binary, MongoClient } from 'mongodb'
import t, { type Test } from 'tap'
import { createConnection } from '../../../src/adapters/mongo/connection.js'
import { checkpointFilter, generationId } from '../../../src/adapters/mongo/control-documents.js'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { DocumentLoader } from '../../../src/adapters/mongo/models/document-loader.js'
import { MongoGenerationStore } from '../../../src/adapters/mongo/models/generation-store.js'
import { GroupCommit } from '../../../src/adapters/mongo/models/transactions.js'
import type { DocumentStore, GenerationStore } from '../../../src/ports/document-store.js'
import { book, books, type Change, collections, loans, next, put, remove, writesOf } from '../../ports/library-model.js'
import { eventually } from '../../ports/subject.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { databaseOn, dropDatabase } from './databases.js'

/** By itself the server would end a transaction that is left open after a minute or more. */
const server = await mongoUrl(t)

if (server !== null) {
  await t.test('commits that are ready at the same time are one transaction', async (t) => {
    const { url, first, second } = await twoProjections(t, server)
    const transactions = await watchCheckpoints(t, url)
    await commitBoth([first, put(books, book('a'))], [second, [...put(books, book('b')), ...put(loans, loan('x'))]])
    await eventually(async () => transactions.length === 2)
    t.notMatch(transactions[0], /undefined/, 'in a transaction')
    t.equal(transactions[0], transactions[1])
    t.strictSame(await titles(first), ['The a'])
    t.strictSame(await titles(second), ['The b'])

    // Replaced, new and gone, in one commit.
    await commitBoth(
      [first, [...put(books, book('a', { title: 'Another' }), book('c')), ...put(loans, loan('y'))]],
      [second, [...remove(books, 'b'), ...remove(loans, 'x')]],
    )
    await eventually(async () => transactions.length === 4)
    t.equal(transactions[2], transactions[3])
    t.strictSame(await titles(first), ['Another', 'The c'])
    t.strictSame(await titles(second), [])
    t.equal((await first.checkpoint()).position, 2)
    t.equal((await second.checkpoint()).position, 2)
  })

  await t.test('a refused commit does not fail the others', async (t) => {
    const { url, first, second } = await twoProjections(t, server)
    const successor = await openMongoStore(url)
    t.teardown(() => successor.close())
    const from = await first.checkpoint()
    const young = await successor.openGeneration(first.generation, collections)
    t.teardown(() => young.close())
    await young.fence(2)
    const at = await second.checkpoint()
    const late = first.commit({ from, to: next(from), writes: [{ collection: books, id: 'late', before: undefined, after: book('late') }] })
    const other = second.commit({ from: at, to: next(at), writes: [{ collection: books, id: 'b', before: undefined, after: book('b') }] })
    await Promise.all([t.rejects(late, { name: 'FencedError' }), other])
    t.strictSame(await titles(first), [])
    t.strictSame(await titles(second), ['The b'])
  })

  await t.test('the next leader of one ends a transaction left open, and the other commits all the same', async (t) => {
    const { url, first, second } = await twoProjections(t, server)
    const connection = createConnection(url)
    const together = new GroupCommit(connection.client, connection.writing)
    const loads = new DocumentLoader(connection.writing)
    const opened = [first, second].map(
      ({ generation }) => new MongoGenerationStore(connection, generation, collections, together, loads, () => {}),
    )
    const [stalling, other] = opened as [MongoGenerationStore, MongoGenerationStore]
    t.teardown(async () => {
      for (const generation of opened) await generation.close()
      await together.close()
      await connection.close()
    })
    const from = await stalling.fence(2)
    await other.fence(2)

    const changes = new EventTarget()
    const stalled = once(changes, 'stalled')
    const wokenUp = once(changes, 'woken up')
    const at = await other.checkpoint()
    const late = together.commit({
      id: generationId(stalling.generation),
      from: checkpointFilter(from),
      to: { checkpoint: next(from) },
      async write() {
        changes.dispatchEvent(new Event('stalled'))
        await wokenUp
      },
    })
    const committed = other.commit({
      from: at,
      to: next(at),
      writes: [{ collection: books, id: 'b', before: undefined, after: book('b') }],
    })
    await stalled
    t.equal((await first.fence(3)).position, 0)
    changes.dispatchEvent(new Event('woken up'))
    t.equal(await late, false)
    await committed
    t.equal((await first.checkpoint()).position, 0)
    t.strictSame(await titles(second), ['The b'])

    const [one, two] = [await first.checkpoint(), await other.checkpoint()]
    const again = together.commit({
      id: generationId(first.generation),
      from: checkpointFilter(one),
      to: { checkpoint: next(one) },
      write: async () => {},
    })
    await other.commit({ from: two, to: next(two), writes: [] })
    t.equal(await again, true, 'and the next transaction is a common one again')
  })
}

/** Which transaction each change of a checkpoint came with. */
async function watchCheckpoints(t: Test, url: string): Promise<string[]> {
  const client = new MongoClient(url)
  const transactions: string[] = []
  const stream = client.db().collection('checkpoints').watch()
  stream.on('change', ({ lsid, txnNumber }: { lsid?: { id: Binary }; txnNumber?: unknown }) => {
    transactions.push(`${lsid?.id.toString('hex')} ${txnNumber}`)
  })
  await once(stream, 'resumeTokenChanged')
  t.teardown(async () => {
    await stream.close()
    await client.close()
  })
  return transactions
}

function loan(id: string) {
  return { _id: id, reader: 'r', book: 'a', at: 1 }
}

/** Commits in the same moment, as projections do that follow the same events. */
async function commitBoth(...pairs: [GenerationStore, Change[]][]): Promise<void> {
  const commits = await Promise.all(
    pairs.map(async ([generation, changes]) => {
      const from = await generation.checkpoint()
      const writes = await writesOf(generation, changes)
      return () => generation.commit({ from, to: next(from), writes })
    }),
  )
  await Promise.all(commits.map((commit) => commit()))
}

async function titles(generation: GenerationStore): Promise<string[]> {
  return (await generation.range(books, { index: '_id', equals: [], limit: 9 })).map(({ title }) => title)
}

async function twoProjections(t: Test, address: string) {
  const url = databaseOn(address)
  const store = await openMongoStore(url)
  const [first, second] = await Promise.all([begin(store, 'library'), begin(store, 'archive')])
  t.teardown(async () => {
    await first.close()
    await second.close()
    await store.close()
    await dropDatabase(url)
  })
  return { url, first, second }
}

async function begin(store: DocumentStore, projection: string): Promise<GenerationStore> {
  const generation = await store.openGeneration(await store.createGeneration(projection, 1, collections), collections)
  await generation.fence(1)
  return generation
}
